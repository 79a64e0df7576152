// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "plain_gpu.hpp"

#include <doctest/doctest.h>

#include <array>

namespace defaults_test {

using namespace wddmcore;
using namespace wddmcore::testing;

namespace {

using arguments = mirror::v1_3::dxgkarg_buildpagingbuffer;

struct busy_gpu : plain_gpu<> {
    void* busy = nullptr;
    bool allocation_is_busy(void* allocation) const noexcept { return allocation == busy; }
};
struct discarding_gpu : plain_gpu<> {
    static constexpr dwords discard_dwords{2};
    static constexpr void encode_discard(u32* at, address, void*) noexcept { put(at, discard_dwords, 6); }
};
struct recording_gpu : plain_gpu<> {
    static constexpr bytes record_bytes{24};
    static void encode_record(void* at, paging_record const& record) noexcept {
        *static_cast<paging_record*>(at) = record;
    }
};
struct layout_gpu : plain_gpu<> {
    static constexpr dwords swizzle_dwords{5};
    static constexpr void encode_swizzled_copy(u32* at, hw::swizzled_copy<layout_gpu> const&) noexcept {
        put(at, swizzle_dwords, 7);
    }
};
struct commanding_gpu : plain_gpu<> {
    static constexpr dwords aperture_entry_dwords{3};
    static constexpr void encode_aperture_entry(u32* at, segment_id, u64, page_number, bool) noexcept {
        put(at, aperture_entry_dwords, 5);
    }
};
template <bool Value>
struct size_gpu : plain_gpu<> {
    static constexpr bool decrements_dma_size = Value;
};

/// A request with a buffer and private data that are there for all of it.
struct system {
    std::array<u32, 64> buffer{};
    std::array<u64, 16> private_data{};
    arguments args{};

    /// Copies two pages within segment 2, swizzled if asked; allocation 0x50.
    void ask_copy(bool swizzled) {
        ask(paging_operation::transfer);
        args.Transfer = {};
        args.Transfer.hAllocation = reinterpret_cast<void*>(usize{0x50});
        args.Transfer.TransferSize = 2 * 4096;
        args.Transfer.Flags.Swizzle = swizzled;
        args.Transfer.Source.SegmentId = 2;
        args.Transfer.Source.SegmentAddress.QuadPart = i64{2} << 40;
        args.Transfer.Destination.SegmentId = 2;
        args.Transfer.Destination.SegmentAddress.QuadPart = (i64{2} << 40) + 0x10'0000;
    }
    /// Points pages 2 to 4 of the aperture at the dummy page 7.
    void ask_unmap() {
        ask(paging_operation::unmap_aperture_segment);
        args.UnmapApertureSegment = {};
        args.UnmapApertureSegment.SegmentId = 1;
        args.UnmapApertureSegment.OffsetInPages = 2;
        args.UnmapApertureSegment.NumberOfPages = 3;
        args.UnmapApertureSegment.DummyPage.QuadPart = 0x7000;
    }
    void ask_discard() {
        ask(paging_operation::discard_content);
        args.DiscardContent = {};
        args.DiscardContent.hAllocation = reinterpret_cast<void*>(usize{0x50});
        args.DiscardContent.SegmentId = 2;
        args.DiscardContent.SegmentAddress.QuadPart = i64{2} << 40;
    }

    [[nodiscard]] u32 written() const {
        return static_cast<u32>(static_cast<u32 const*>(args.pDmaBuffer) - buffer.data());
    }
    [[nodiscard]] usize recorded() const {
        return static_cast<usize>(static_cast<u8 const*>(args.pDmaBufferPrivateData) -
                                  reinterpret_cast<u8 const*>(private_data.data()));
    }

private:
    void ask(paging_operation operation) {
        args = {};
        args.pDmaBuffer = buffer.data();
        args.DmaSize = sizeof buffer;
        args.pDmaBufferPrivateData = private_data.data();
        args.DmaBufferPrivateDataSize = sizeof private_data;
        args.Operation = static_cast<u32>(operation);
    }
};

template <class Hw>
ntstatus build(Hw& gpu, system& os) {
    return build_paging_buffer(gpu, os.args);
}

}  // namespace

TEST_CASE("PGB-09: without a busy reporter no allocation is ever busy") {
    system os;
    os.ask_copy(false);
    plain_gpu<> plain;
    CHECK_FALSE(hw::is_busy(plain, os.args.Transfer.hAllocation));
    CHECK(build(plain, os) == status::success);

    os.ask_copy(false);
    busy_gpu busy{{}, os.args.Transfer.hAllocation};
    CHECK(hw::is_busy(busy, os.args.Transfer.hAllocation));
    CHECK_FALSE(hw::is_busy(busy, nullptr));
    CHECK(build(busy, os) == status::graphics_allocation_busy);
    CHECK(os.written() == 0);
    os.args.Transfer.Flags.AllocationIsIdle = 1;
    CHECK(build(busy, os) == status::success);
}

TEST_CASE("OP02-01: without a content discarder operation 2 writes nothing") {
    static_assert(hw::discard_dwords_of<plain_gpu<>>() == dwords{0});
    static_assert(hw::discard_dwords_of<discarding_gpu>() == dwords{2});
    plain_gpu<> plain;
    system os;
    os.ask_discard();
    CHECK(build(plain, os) == status::success);
    CHECK(os.written() == 0);
    CHECK(plain.faults == 0);

    discarding_gpu discarding;
    os.ask_discard();
    CHECK(build(discarding, os) == status::success);
    CHECK(os.written() == 2);
}

TEST_CASE("OP00-08: without a layout engine Swizzle means a plain copy") {
    static_assert(!hw::swizzle_copy_engine<plain_gpu<>> && hw::swizzle_copy_engine<layout_gpu>);
    plain_gpu<> plain;
    system os;
    os.ask_copy(true);
    CHECK(build(plain, os) == status::success);
    CHECK(os.written() == 4);

    layout_gpu layouts;
    os.ask_copy(true);
    CHECK(build(layouts, os) == status::success);
    CHECK(os.written() == 2 * 5);
    // OP00-07: without an allocation the copy is raw even then.
    os.ask_copy(true);
    os.args.Transfer.hAllocation = nullptr;
    CHECK(build(layouts, os) == status::success);
    CHECK(os.written() == 4);
}

TEST_CASE("PGB-11: without aperture entries by command they are stored at once, buffer or not") {
    static_assert(!hw::aperture_by_command<plain_gpu<>> && hw::aperture_by_command<commanding_gpu>);
    for (bool const with_buffer : {true, false}) {
        plain_gpu<> plain;
        system os;
        os.ask_unmap();
        if (!with_buffer) {
            os.args.pDmaBuffer = nullptr;
        }
        void* const before = os.args.pDmaBuffer;
        CHECK(build(plain, os) == status::success);
        CHECK(os.args.pDmaBuffer == before);
        CHECK(plain.stores == 3);
        CHECK(plain.stored[2] == 8);
        CHECK(plain.stored[4] == 8);
        CHECK(plain.stored[5] == 0);
    }
    commanding_gpu commanding;
    system os;
    os.ask_unmap();
    CHECK(build(commanding, os) == status::success);
    CHECK(os.written() == 3 * 3);
    CHECK(commanding.stores == 0);
    os.ask_unmap();
    os.args.DmaSize = 0;
    CHECK(build(commanding, os) == status::success);
    CHECK(commanding.stores == 3);
}

TEST_CASE("PGB-13: without a recorder the private-data pointer stays") {
    static_assert(hw::record_bytes_of<plain_gpu<>>() == bytes{0});
    static_assert(hw::record_bytes_of<recording_gpu>() == bytes{24});
    plain_gpu<> plain;
    system os;
    os.ask_copy(false);
    CHECK(build(plain, os) == status::success);
    CHECK(os.recorded() == 0);
    // Private data that is not there does not matter then.
    os.ask_copy(false);
    os.args.pDmaBufferPrivateData = nullptr;
    os.args.DmaBufferPrivateDataSize = 0;
    CHECK(build(plain, os) == status::success);

    recording_gpu recording;
    os.ask_copy(false);
    CHECK(build(recording, os) == status::success);
    CHECK(os.recorded() == 24);
    auto const& record = *reinterpret_cast<paging_record const*>(os.private_data.data());
    CHECK(record.operation == paging_operation::transfer);
    CHECK(record.written_bytes == 4 * 4);
    CHECK(record.first_token == 0);
    CHECK(record.next_token == 2);
}

TEST_CASE("AMB-06: DmaSize is left alone unless the hardware type asks for the other reading") {
    static_assert(!hw::decrements_dma_size<plain_gpu<>>);
    static_assert(!hw::decrements_dma_size<size_gpu<false>>);
    static_assert(hw::decrements_dma_size<size_gpu<true>>);
    plain_gpu<> plain;
    system os;
    os.ask_copy(false);
    CHECK(build(plain, os) == status::success);
    CHECK(os.args.DmaSize == 256);

    size_gpu<false> alone;
    os.ask_copy(false);
    CHECK(build(alone, os) == status::success);
    CHECK(os.args.DmaSize == 256);

    size_gpu<true> counting;
    os.ask_copy(false);
    CHECK(build(counting, os) == status::success);
    CHECK(os.written() == 4);
    CHECK(os.args.DmaSize == 256 - 4 * 4);
}

}  // namespace defaults_test
