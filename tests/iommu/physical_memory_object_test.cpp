// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include <wddmcore/ddi/mirror/mirror.hpp>
#include <wddmcore/iommu/physical_memory_object.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <initializer_list>
#include <string_view>
#include <vector>

#include "../base/expect_both.hpp"

namespace physical_memory_object_test {

using namespace wddmcore;
using iommu::access_mode;
using iommu::adapter_handle;
using iommu::memory_callback;
using iommu::memory_kind;
using iommu::memory_request;
using iommu::physical_memory_object;
using iommu::verdict;

namespace {

constexpr bytes object_size = 4 * mib;
constexpr memory_kind kinds[] = {memory_kind::mdl, memory_kind::contiguous_memory, memory_kind::section,
                                 memory_kind::io_space};

constexpr memory_request create(memory_kind kind, bool adapter = true, bytes size = object_size) {
    return {.callback = memory_callback::create_physical_memory_object, .adapter = adapter, .kind = kind, .size = size};
}
constexpr memory_request map(bytes offset, bytes size, access_mode access = access_mode::kernel_mode) {
    return {.callback = memory_callback::map_physical_memory, .access = access, .offset = offset, .size = size};
}
constexpr memory_request allocate_adl(bytes offset, bytes size, bool contiguous = false) {
    return {
        .callback = memory_callback::allocate_adl, .require_contiguous = contiguous, .offset = offset, .size = size};
}
constexpr memory_request destroy(bool handle) {
    return {.callback = memory_callback::destroy_physical_memory_object, .handle = handle};
}
constexpr memory_request open{.callback = memory_callback::open_physical_memory_object};
constexpr memory_request close{.callback = memory_callback::close_physical_memory_object};
constexpr memory_request unmap{.callback = memory_callback::unmap_physical_memory};
constexpr memory_request free_adl{.callback = memory_callback::free_adl};

constexpr physical_memory_object made(memory_kind kind, bool adapter = true, bytes size = object_size) {
    return iommu::after({}, create(kind, adapter, size));
}

/// The same rules over everything that succeeded so far, with no state but that list: slow, and nothing to forget.
struct history {
    std::vector<memory_request> done;

    std::vector<memory_request> life() const {
        auto const ends = [](memory_request const& one) {
            return one.callback == memory_callback::destroy_physical_memory_object;
        };
        auto const last_end = std::find_if(done.rbegin(), done.rend(), ends);
        return {last_end.base(), done.end()};
    }
    static long count(std::vector<memory_request> const& life, memory_callback what) {
        return static_cast<long>(
            std::count_if(life.begin(), life.end(), [what](auto const& one) { return one.callback == what; }));
    }
    bool allows(memory_request const& asked) const {
        auto const now = life();
        if (asked.level.n > 1) {
            return false;
        }
        if (asked.callback == memory_callback::create_physical_memory_object) {
            return now.empty() && asked.size.n != 0 && static_cast<u32>(asked.kind) <= 3 &&
                   (asked.kind != memory_kind::io_space || (asked.size.n | asked.io_base) % 4096 == 0) &&
                   static_cast<u32>(asked.caching) <= 2 &&
                   (asked.kind != memory_kind::section || asked.caching != iommu::memory_caching::non_cached);
        }
        if (now.empty()) {
            return false;
        }
        memory_request const& creation = now.front();
        long const opens = count(now, memory_callback::open_physical_memory_object) + (creation.adapter ? 1 : 0);
        long const closes = count(now, memory_callback::close_physical_memory_object);
        long const adls = count(now, memory_callback::allocate_adl) - count(now, memory_callback::free_adl);
        long const mappings =
            count(now, memory_callback::map_physical_memory) - count(now, memory_callback::unmap_physical_memory);
        bool const inside = asked.offset.n <= creation.size.n && asked.offset.n + asked.size.n <= creation.size.n;
        bool const whole = (asked.offset.n | asked.size.n) % 4096 == 0;
        bool const io = creation.kind == memory_kind::io_space;
        switch (asked.callback) {
            case memory_callback::open_physical_memory_object: return !creation.adapter && opens == closes;
            case memory_callback::map_physical_memory:
                return inside && asked.size.n != 0 && static_cast<u32>(asked.access) <= 1 &&
                       (!io || (whole && asked.access == access_mode::kernel_mode));
            case memory_callback::unmap_physical_memory: return mappings > 0;
            case memory_callback::allocate_adl:
                return opens > closes && !asked.reserved_flags && whole && asked.size.n != 0 && inside &&
                       (!asked.require_contiguous || io || creation.kind == memory_kind::contiguous_memory);
            case memory_callback::free_adl: return adls > 0;
            case memory_callback::close_physical_memory_object: return opens > closes && adls == 0;
            case memory_callback::destroy_physical_memory_object:
                return adls == 0 && mappings == 0 && asked.handle == (opens > closes);
            case memory_callback::create_physical_memory_object: break;
        }
        return false;
    }
};

std::vector<memory_request> every_request() {
    std::vector<memory_request> all{open, close, unmap, free_adl, destroy(false), destroy(true)};
    for (memory_kind const kind : kinds) {
        for (bool const adapter : {false, true}) {
            all.push_back(create(kind, adapter));
            all.push_back(create(kind, adapter, {6000}));
            all.push_back(create(kind, adapter, {0}));
        }
    }
    all.push_back(create(static_cast<memory_kind>(7)));
    for (memory_kind const kind : kinds) {
        all.push_back(create(kind));
        all.back().io_base = 0x1'0800;
        all.push_back(create(kind));
        all.back().caching = iommu::memory_caching::unknown;
    }
    all.push_back(create(memory_kind::section));
    all.back().caching = iommu::memory_caching::non_cached;
    all.push_back(allocate_adl({0}, {4096}));
    all.back().reserved_flags = true;
    all.push_back(map({0}, {4096}, static_cast<access_mode>(9)));
    for (bytes const offset : {bytes{0}, bytes{100}, bytes{4096}, object_size}) {
        for (bytes const size : {bytes{0}, bytes{4096}, bytes{4000}, object_size}) {
            for (access_mode const access : {access_mode::kernel_mode, access_mode::user_mode}) {
                all.push_back(map(offset, size, access));
            }
            for (bool const contiguous : {false, true}) {
                all.push_back(allocate_adl(offset, size, contiguous));
            }
        }
    }
    auto const low = all.size();
    for (usize i = 0; i < low; ++i) {
        memory_request raised = all[i];
        raised.level = i % 2 == 0 ? iommu::dispatch_level : iommu::apc_level;
        all.push_back(raised);
    }
    return all;
}

struct reached {
    physical_memory_object state;
    history past;
};

}  // namespace

TEST_CASE("ADL-13, ADL-14: every state times every request agrees with a model that knows only the history") {
    constexpr u32 most = 2;
    std::vector<memory_request> const requests = every_request();
    std::vector<reached> states{{{}, {}}};
    usize allowed = 0;
    for (usize next = 0; next < states.size(); ++next) {
        for (memory_request const& asked : requests) {
            reached const from = states[next];
            bool const may = iommu::judge(from.state, asked) == verdict::allowed;
            if (may != from.past.allows(asked)) {
                FAIL_CHECK("state " << next << ", callback " << static_cast<u32>(asked.callback) << ", offset "
                                    << asked.offset.n << ", size " << asked.size.n);
            }
            physical_memory_object const then = iommu::after(from.state, asked);
            if (!may) {
                CHECK(then == from.state);
                continue;
            }
            ++allowed;
            bool const known =
                std::any_of(states.begin(), states.end(), [&](auto const& s) { return s.state == then; });
            if (!known && then.adls <= most && then.mappings <= most) {
                reached to{then, from.past};
                to.past.done.push_back(asked);
                states.push_back(to);
            }
        }
    }
    // Nothing; and 14 creations: two sizes of three kinds with and without adapter, one of IO space. Of each, up to
    // two mappings times: an open handle with up to two ADLs, a closed one, and without adapter one never opened.
    CHECK(states.size() == 1 + 7 * 3 * 4 + 7 * 3 * 5);
    CHECK(allowed > states.size());
}

TEST_CASE("ADL-10: offset and size of an ADL are whole pages, and give size / 4096 pages") {
    constexpr physical_memory_object object = made(memory_kind::mdl);
    expect_both(iommu::judge(object, allocate_adl({0}, {4096})) == verdict::allowed);
    expect_both(iommu::judge(object, allocate_adl({0}, {4095})) == verdict::adl_not_pages);
    expect_both(iommu::judge(object, allocate_adl({1}, {4096})) == verdict::adl_not_pages);
    expect_both(iommu::judge(object, allocate_adl({0}, {0})) == verdict::adl_without_pages);
    expect_both(iommu::judge(object, allocate_adl({4096}, object_size)) == verdict::beyond_object);
    expect_both(iommu::judge(object, allocate_adl({0xFFFF'FFFF'FFFF'F000}, {0x2000})) == verdict::beyond_object);
    expect_both(iommu::judge(made(memory_kind::mdl, true, {u64{1} << 44}), allocate_adl({0}, {u64{1} << 44})) ==
                verdict::adl_too_long);
    expect_both(iommu::judge(made(memory_kind::mdl, true, {u64{1} << 44}), allocate_adl({0}, {0xFFF'FFFF'F000})) ==
                verdict::allowed);
    expect_both(iommu::pages_of_adl({12288}).get() == 3);
    expect_both(iommu::pages_of_adl({12289}).error == errc::misaligned);
    expect_both(iommu::pages_of_adl({u64{1} << 44}).error == errc::overflow);
    expect_both(iommu::pages_of_adl({(u64{1} << 44) - 4096}).get() == 0xFFFF'FFFF);
}

TEST_CASE("ADL-10: RequireContiguous only for contiguous memory and IO space") {
    for (memory_kind const kind : kinds) {
        bool const legal = kind == memory_kind::contiguous_memory || kind == memory_kind::io_space;
        CHECK(iommu::judge(made(kind), allocate_adl({0}, {4096}, true)) ==
              (legal ? verdict::allowed : verdict::contiguous_impossible));
        CHECK(iommu::judge(made(kind), allocate_adl({0}, {4096}, false)) == verdict::allowed);
    }
    // PreferContiguous, the second bit, is a hint.
    mirror::v2_9::dxgkargcb_allocate_adl args{};
    args.Size = 4096;
    args.Flags.Value = 2;
    CHECK(iommu::judge(made(memory_kind::mdl), iommu::allocate_adl_request(args, iommu::passive_level)) ==
          verdict::allowed);
    args.Flags.Value = 1;
    CHECK(iommu::judge(made(memory_kind::mdl), iommu::allocate_adl_request(args, iommu::passive_level)) ==
          verdict::contiguous_impossible);
}

TEST_CASE("ADL-12: an object with an ADL is not destroyed, and its handle not closed") {
    constexpr physical_memory_object listed = iommu::after(made(memory_kind::mdl), allocate_adl({0}, {4096}));
    expect_both(listed.adls == 1);
    expect_both(iommu::judge(listed, destroy(true)) == verdict::adl_left);
    expect_both(iommu::judge(listed, destroy(false)) == verdict::adl_left);
    expect_both(iommu::judge(listed, close) == verdict::adl_left);
    expect_both(iommu::judge(iommu::after(listed, free_adl), destroy(true)) == verdict::allowed);
    expect_both(iommu::judge(iommu::after(listed, free_adl), free_adl) == verdict::no_adl);
}

TEST_CASE("ADL-13: without an adapter an object is opened once before it has an ADL, with one never") {
    constexpr physical_memory_object bare = made(memory_kind::mdl, false);
    constexpr physical_memory_object opened = iommu::after(bare, open);
    expect_both(iommu::judge(bare, allocate_adl({0}, {4096})) == verdict::not_open);
    expect_both(iommu::judge(opened, allocate_adl({0}, {4096})) == verdict::allowed);
    expect_both(iommu::judge(opened, open) == verdict::open_already);
    expect_both(iommu::judge(made(memory_kind::mdl), open) == verdict::opened_by_create);
    expect_both(iommu::judge(iommu::after(made(memory_kind::mdl), close), open) == verdict::opened_by_create);
    expect_both(iommu::judge({}, open) == verdict::not_created);
    expect_both(iommu::judge(bare, create(memory_kind::mdl)) == verdict::created_twice);
}

TEST_CASE("ADL-14: the adapter memory handle is closed exactly once, by close or by destroy") {
    constexpr physical_memory_object bare = made(memory_kind::mdl, false);
    constexpr physical_memory_object opened = iommu::after(bare, open);
    constexpr physical_memory_object closed = iommu::after(opened, close);
    expect_both(closed.handle == adapter_handle::closed);
    expect_both(iommu::judge(bare, close) == verdict::not_open);
    expect_both(iommu::judge(closed, close) == verdict::handle_closed_already);
    expect_both(iommu::judge(opened, destroy(true)) == verdict::allowed);
    expect_both(iommu::judge(opened, destroy(false)) == verdict::handle_left_open);
    expect_both(iommu::judge(closed, destroy(true)) == verdict::handle_closed_already);
    expect_both(iommu::judge(closed, destroy(false)) == verdict::allowed);
    expect_both(iommu::judge(bare, destroy(true)) == verdict::not_open);
    expect_both(iommu::judge(bare, destroy(false)) == verdict::allowed);
    expect_both(iommu::after(closed, destroy(false)) == physical_memory_object{});
}

TEST_CASE("ADL-15: IO space is mapped for the kernel only, and data is at the base plus the returned offset") {
    for (memory_kind const kind : kinds) {
        CHECK(iommu::judge(made(kind), map({0}, {4096}, access_mode::kernel_mode)) == verdict::allowed);
        CHECK(iommu::judge(made(kind), map({0}, {4096}, access_mode::user_mode)) ==
              (kind == memory_kind::io_space ? verdict::user_mode_of_io_space : verdict::allowed));
        CHECK(iommu::judge(made(kind), map({4096}, object_size)) == verdict::beyond_object);
    }
    constexpr physical_memory_object mapped = iommu::after(made(memory_kind::mdl), map({100}, {50}));
    expect_both(mapped.mappings == 1);
    expect_both(iommu::judge(mapped, destroy(true)) == verdict::mapping_left);
    expect_both(iommu::judge(iommu::after(mapped, unmap), unmap) == verdict::nothing_mapped);

    // Asked for bytes 100 to 149, mapped the page that holds them.
    constexpr iommu::mapping found = iommu::mapping_of({50}, {100}, {4096}).get();
    expect_both(found.data == bytes{100} && found.size == bytes{4096});
    expect_both(iommu::mapping_of({50}, {0}, {50}).ok());
    expect_both(iommu::mapping_of({50}, {0}, {49}).error == errc::out_of_range);
    expect_both(iommu::mapping_of({4096}, {1}, {4096}).error == errc::out_of_range);
    expect_both(iommu::mapping_of({2}, {~u64{0}}, {4096}).error == errc::out_of_range);
}

TEST_CASE("IOM-14: no callback of the family above APC_LEVEL, whatever else is wrong") {
    REQUIRE(!every_request().empty());
    for (memory_request asked : every_request()) {
        for (u32 level = 0; level < 16; ++level) {
            asked.level = {static_cast<u8>(level)};
            bool const told = iommu::judge({}, asked) == verdict::irql_too_high &&
                              iommu::judge(made(memory_kind::mdl), asked) == verdict::irql_too_high;
            bool const silent = iommu::judge({}, asked) != verdict::irql_too_high &&
                                iommu::judge(made(memory_kind::mdl), asked) != verdict::irql_too_high;
            if (level <= 1 ? !silent : !told) {
                FAIL_CHECK("callback " << static_cast<u32>(asked.callback) << " at " << level);
            }
        }
    }
}

TEST_CASE("IOM-21: offsets and sizes of IO space are whole pages") {
    constexpr physical_memory_object object = made(memory_kind::io_space);
    expect_both(iommu::judge({}, create(memory_kind::io_space, true, {4097})) == verdict::io_space_not_pages);
    expect_both(iommu::judge({}, create(memory_kind::mdl, true, {4097})) == verdict::allowed);
    expect_both(iommu::judge(object, map({1}, {4096})) == verdict::io_space_not_pages);
    expect_both(iommu::judge(object, map({0}, {1})) == verdict::io_space_not_pages);
    expect_both(iommu::judge(object, allocate_adl({1}, {4096})) == verdict::io_space_not_pages);
    expect_both(iommu::judge(object, allocate_adl({0}, {1})) == verdict::io_space_not_pages);
    expect_both(iommu::judge(object, map({4096}, {8192})) == verdict::allowed);
}

TEST_CASE("IOM-21: IO space begins with a page; of other kinds the base is nothing") {
    // The page of the create arguments: BaseAddress is a multiple of PAGE_SIZE.
    mirror::v2_9::dxgkargcb_create_physical_memory_object creation{};
    creation.Size = 4096;
    creation.Type = 3;
    creation.CacheType = 0;
    auto const verdict_of = [&](u64 base) {
        creation.IOSpace.BaseAddress.QuadPart = static_cast<i64>(base);
        return iommu::judge({}, iommu::create_request(creation, iommu::passive_level));
    };
    for (u64 const base : {u64{0}, u64{0x1000}, u64{0xF'E000'0000}, ~u64{0xFFF}}) {
        CHECK(verdict_of(base) == verdict::allowed);
        for (u64 const off : {u64{1}, u64{0x800}, u64{0xFFF}}) {
            CHECK(verdict_of(base + off) == verdict::io_space_not_pages);
        }
    }
    // The same bytes are LowAddress of an MDL.
    creation.Type = 0;
    CHECK(verdict_of(0x801) == verdict::allowed);
    CHECK(iommu::create_request(creation, iommu::passive_level).io_base == 0);
    expect_both(iommu::judge({}, memory_request{.kind = memory_kind::io_space, .io_base = 0x800, .size = {4096}}) ==
                verdict::io_space_not_pages);
}

TEST_CASE("ADL-13: a section is cached or write-combined; a mapping is cached as its object") {
    // DXGK_MEMORY_CACHING_TYPE by abi/: 0 non-cached, 1 cached, 2 write-combined. The page of the create arguments: of a
    // section it is one of the last two; that of the map callback: mappings are as the object.
    for (u32 type = 0; type < 4; ++type) {
        for (u32 caching = 0; caching < 8; ++caching) {
            CAPTURE(type);
            CAPTURE(caching);
            mirror::v2_9::dxgkargcb_create_physical_memory_object creation{};
            creation.Size = 4096;
            creation.Type = type;
            creation.CacheType = caching;
            memory_request const asked = iommu::create_request(creation, iommu::passive_level);
            CHECK(iommu::judge({}, asked) == (caching > 2                 ? verdict::unknown_caching
                                              : type == 2 && caching == 0 ? verdict::section_not_cached
                                                                          : verdict::allowed));
            if (iommu::judge({}, asked) == verdict::allowed) {
                CHECK(static_cast<u32>(iommu::after({}, asked).caching) == caching);
            }
        }
    }
    CHECK(std::string_view(iommu::rule_id(verdict::unknown_caching)) == "ADL-13");
    CHECK(std::string_view(iommu::rule_id(verdict::section_not_cached)) == "ADL-13");
    constexpr physical_memory_object combined =
        iommu::after({}, {.kind = memory_kind::section, .caching = iommu::memory_caching::write_combined, .size = {1}});
    expect_both(combined.caching == iommu::memory_caching::write_combined);
}

TEST_CASE("ADL-10: of an ADL's flags all but two are reserved") {
    physical_memory_object const object = made(memory_kind::contiguous_memory);
    for (u32 bit = 0; bit < 32; ++bit) {
        CAPTURE(bit);
        mirror::v2_9::dxgkargcb_allocate_adl args{};
        args.Size = 4096;
        args.Flags.Value = u32{1} << bit;
        CHECK(iommu::judge(object, iommu::allocate_adl_request(args, iommu::passive_level)) ==
              (bit < 2 ? verdict::allowed : verdict::adl_reserved_flags));
    }
    CHECK(std::string_view(iommu::rule_id(verdict::adl_reserved_flags)) == "ADL-10");
}

TEST_CASE("ADL-10, ADL-15: no more lists and mappings than 32 bits count") {
    physical_memory_object full = made(memory_kind::mdl);
    full.adls = full.mappings = ~u32{0};
    CHECK(iommu::judge(full, allocate_adl({0}, {4096})) == verdict::too_many);
    CHECK(iommu::judge(full, map({0}, {4096})) == verdict::too_many);
    full.adls = full.mappings = ~u32{0} - 1;
    CHECK(iommu::judge(full, allocate_adl({0}, {4096})) == verdict::allowed);
    CHECK(iommu::judge(full, map({0}, {4096})) == verdict::allowed);
    CHECK(std::string_view(iommu::rule_id(verdict::too_many)).empty());
}

TEST_CASE("ADL-13: an object has a known kind and a byte; so has each of its mappings (ADL-15)") {
    for (u32 kind = 0; kind < 8; ++kind) {
        CAPTURE(kind);
        CHECK(iommu::judge({}, create(static_cast<memory_kind>(kind))) ==
              (kind < 4 ? verdict::allowed : verdict::unknown_kind));
    }
    expect_both(iommu::judge({}, create(memory_kind::mdl, true, {0})) == verdict::object_without_bytes);
    expect_both(iommu::judge({}, create(memory_kind::io_space, true, {0})) == verdict::object_without_bytes);
    expect_both(iommu::judge(made(memory_kind::mdl), map({4096}, {0})) == verdict::mapping_without_bytes);
    expect_both(iommu::judge(made(memory_kind::mdl), map({0}, {4096}, static_cast<access_mode>(2))) ==
                verdict::unknown_access);
    CHECK(std::string_view(iommu::rule_id(verdict::unknown_kind)) == "ADL-13");
    CHECK(std::string_view(iommu::rule_id(verdict::object_without_bytes)) == "ADL-13");
    CHECK(std::string_view(iommu::rule_id(verdict::unknown_access)) == "ADL-15");
    CHECK(std::string_view(iommu::rule_id(verdict::mapping_without_bytes)) == "ADL-15");
}

TEST_CASE("ADL-13: requests are read from the DDI's own arguments") {
    int adapter = 0;
    mirror::v2_9::dxgkargcb_create_physical_memory_object creation{};
    creation.Size = 4096;
    creation.Type = 3;
    memory_request asked = iommu::create_request(creation, iommu::apc_level);
    CHECK(!asked.adapter);
    CHECK(asked.kind == memory_kind::io_space);
    CHECK(asked.size == bytes{4096});
    CHECK(asked.level == iommu::apc_level);
    creation.hAdapter = &adapter;
    CHECK(iommu::create_request(creation, iommu::passive_level).adapter);

    mirror::v2_9::dxgkargcb_map_physical_memory mapping{};
    mapping.AccessMode = 1;
    mapping.Offset = 8192;
    mapping.Size = 12288;
    asked = iommu::map_request(mapping, iommu::passive_level);
    CHECK(asked.callback == memory_callback::map_physical_memory);
    CHECK(asked.access == access_mode::user_mode);
    CHECK(asked.offset == bytes{8192});
    CHECK(asked.size == bytes{12288});

    mirror::v2_9::dxgkargcb_allocate_adl list{};
    list.Offset = 4096;
    list.Size = 16384;
    asked = iommu::allocate_adl_request(list, iommu::passive_level);
    CHECK(asked.callback == memory_callback::allocate_adl);
    CHECK(asked.offset == bytes{4096});
    CHECK(asked.size == bytes{16384});
    CHECK(!asked.require_contiguous);

    mirror::v2_9::dxgkargcb_destroy_physical_memory_object end{};
    CHECK(!iommu::destroy_request(end, iommu::passive_level).handle);
    end.hAdapterMemoryObject = &adapter;
    CHECK(iommu::destroy_request(end, iommu::passive_level).handle);
    CHECK(iommu::destroy_request(end, iommu::passive_level).callback ==
          memory_callback::destroy_physical_memory_object);
}

TEST_CASE("ADL-10 to ADL-15: every verdict names its rule") {
    CHECK(std::string_view(iommu::rule_id(verdict::allowed)) == "");
    CHECK(std::string_view(iommu::rule_id(verdict::irql_too_high)) == "IOM-14");
    CHECK(std::string_view(iommu::rule_id(verdict::io_space_not_pages)) == "IOM-21");
    CHECK(std::string_view(iommu::rule_id(verdict::contiguous_impossible)) == "ADL-10");
    CHECK(std::string_view(iommu::rule_id(verdict::adl_left)) == "ADL-12");
    CHECK(std::string_view(iommu::rule_id(verdict::open_already)) == "ADL-13");
    CHECK(std::string_view(iommu::rule_id(verdict::handle_left_open)) == "ADL-14");
    CHECK(std::string_view(iommu::rule_id(verdict::user_mode_of_io_space)) == "ADL-15");
}

}  // namespace physical_memory_object_test
