// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// The order of the two sequences around operation 22 is the system's: no driver can break it, so none is caught here.
// What is shown is that the simulator keeps it, as a driver that only watches sees it.
#include "expect.hpp"

#include <algorithm>
#include <optional>
#include <vector>

using namespace toy;

namespace {

using what = notice_moment::what;

/// A right driver that asks for both notices, with page tables that the CPU writes: a mapping is there once it is made.
[[nodiscard]] setup watched(std::function<void(notice_moment const&)> tell) {
    setup s = with_notices(with_roots(page_tables(page_table_update_mode::cpu_virtual, wddm::v3_2)));
    s.makes_contexts = true;
    s.options.seed = seed_or(1);
    s.options.chances.execute = 10;  // much waits, so that what does not wait for it shows
    s.watches_notices = std::move(tell);
    return s;
}

constexpr u64 page_size = 4096;
constexpr u64 chunk_bytes = 4 * page_size;  // with_notices says so

/// Follows one eviction of one allocation, chunk by chunk.
struct eviction_watch {
    std::optional<notice_moment> chunk;  ///< the one that was built last
    u64 chunks = 0;
    u64 submitted = 0;  ///< since the chunk was built
    u64 executed = 0;   ///< bytes of it
    u64 whole = 0;      ///< bytes of all chunks

    void see(notice_moment const& m) {
        if (m.is == what::built && m.eviction) {
            end(m);
            chunk = m;
            ++chunks;
            submitted = 0;
            executed = 0;
            CHECK(m.process == nullptr);
            mapped(m, m.address, m.size);  // step 1 is over when step 2 begins
        } else if (m.is == what::submitted && chunk) {
            ++submitted;
            CHECK(m.in_system_context);
        } else if (m.is == what::executed && m.eviction) {
            REQUIRE(chunk);
            CHECK(submitted != 0);
            CHECK(m.address >= chunk->address);
            CHECK(m.address + m.size <= chunk->address + chunk->size);
            mapped(m, m.address, m.size);  // step 5 has not begun
            executed += m.size;
        }
    }

    /// The chunk that was built last is over when the next one is built, or everything is.
    void end(notice_moment const& now) {
        if (!chunk) {
            return;
        }
        CHECK(executed == chunk->size);
        whole += executed;
        for (u64 at = 0; at != chunk->size; at += page_size) {
            // Addresses of the window are used again, so only another chunk's may be mapped now.
            bool const again = now.is == what::built && chunk->address + at >= now.address &&
                               chunk->address + at < now.address + now.size;
            CHECK((again || !now.see(chunk->address + at)));
        }
        chunk.reset();
    }

    static void mapped(notice_moment const& m, u64 address, u64 size) {
        for (u64 at = 0; at != size; at += page_size) {
            CHECK(m.see(address + at));
        }
    }
};

}  // namespace

TEST_CASE("NTF-07: an eviction notice: mapped, built, submitted in the system context, executed, unmapped") {
    eviction_watch watch;
    notice_moment last;
    setup const s = watched([&](notice_moment const& m) {
        watch.see(m);
        last.see = m.see;
    });
    testing::vidmm_report const report = told(s, [&](testing::vidmm& mm) {
        auto const number = mm.create(bytes{16 * page_size});
        for (u64 times = 1; times != 4; ++times) {
            REQUIRE(mm.notify_eviction(number));
            last.is = what::unmapped;
            watch.end(last);
            CHECK(watch.chunks == times * 16 * page_size / chunk_bytes);
            CHECK(watch.whole == times * 16 * page_size);
        }
    });
    INFO(report.text());
    CHECK(report.passed());
}

TEST_CASE("NTF-09: an unmap notice: built, submitted, all paging work over, and only then the mapping ends") {
    u64 built = 0;
    u64 submitted = 0;
    u64 bytes_cleaned = 0;
    u64 ended = 0;
    setup s = watched([&](notice_moment const& m) {
        built += m.is == what::built && !m.eviction ? m.size : 0;
        submitted += m.is == what::submitted ? 1U : 0U;
        CHECK((m.is != what::built || m.process != nullptr));
        if (m.is == what::executed && !m.eviction) {
            CHECK(submitted != 0);
            bytes_cleaned += m.size;
        }
        if (m.is == what::unmapped) {
            CHECK(built == 16 * page_size);
            CHECK(bytes_cleaned == built);
            built = bytes_cleaned = submitted = 0;
            ++ended;
        }
    });
    testing::vidmm_report const report = told(s, [&](testing::vidmm& mm) {
        auto const number = mm.create(bytes{16 * page_size});
        for (u64 times = 1; times != 4; ++times) {
            REQUIRE(mm.notify_iommu_unmap(number));
            CHECK(ended == times);
        }
    });
    INFO(report.text());
    CHECK(report.passed());
}

TEST_CASE("NTF-08: only what leaves system memory or the aperture is noticed, never what leaves a memory segment") {
    u64 evictions = 0;
    setup s;
    auto const tell = [&](notice_moment const& m) {
        if (m.is != what::built || !m.eviction) {
            return;
        }
        ++evictions;
        for (u64 at = 0; at < m.size; at += page_size) {
            auto const where = m.see(m.address + at);
            REQUIRE(where);
            for (testing::vidmm_segment const& segment : s.options.segments) {
                CHECK((*where < segment.base || *where - segment.base >= segment.size));
            }
        }
    };
    s = watched(tell);
    testing::vidmm_report const one = told(s, [&](testing::vidmm& mm) {
        auto const number = mm.create(bytes{8 * page_size});
        REQUIRE(mm.commit(number, segment_id{1}));
        CHECK_FALSE(mm.notify_eviction(number));
        REQUIRE(mm.evict(number));
        CHECK(evictions == 0);
        CHECK(mm.notify_eviction(number));
        CHECK(evictions == 2);
    });
    CHECK(one.passed());
    evictions = 0;
    s.options.page_tables.processes = 0;  // the tables at work are those of the paging process
    testing::vidmm_report const many = run(s);
    INFO(many.text());
    CHECK(many.passed());
    CHECK(evictions >= 5);
}

TEST_CASE("NTF-11: unmap notices come with the GpuVaIoMmu models only") {
    for (bool const has : {true, false}) {
        u64 unmaps = 0;
        setup s = watched([&](notice_moment const& m) { unmaps += m.is == what::built && !m.eviction ? 1U : 0U; });
        s.options.notify.gpu_va_iommu = has;
        testing::vidmm_report const one = told(s, [&](testing::vidmm& mm) {
            auto const number = mm.create(bytes{8 * page_size});
            CHECK(mm.notify_iommu_unmap(number) == has);
        });
        CHECK(one.passed());
        CHECK((unmaps != 0) == has);
        unmaps = 0;
        testing::vidmm_report const many = run(s);
        INFO(many.text());
        CHECK(many.passed());
        CHECK((unmaps != 0) == has);
    }
}
