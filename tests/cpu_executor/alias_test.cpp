// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "cpu_world.hpp"

#if defined(__linux__)

#    include <sys/mman.h>
#    include <unistd.h>

namespace alias_test {

using namespace cpu_world;

namespace {

// The same memory at two addresses, as two mappings of a segment are: pointers tell nothing about what overlaps.
class two_views {
public:
    static constexpr pages map_max{16};

    two_views() : file_(memfd_create("two_views", 0)) {
        if (file_ < 0 || ftruncate(file_, static_cast<off_t>(part_bytes)) != 0) {
            return;
        }
        for (void*& view : views_) {
            view = mmap(nullptr, part_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file_, 0);
        }
    }
    two_views(two_views const&) = delete;
    two_views& operator=(two_views const&) = delete;
    ~two_views() {
        for (void* const view : views_) {
            if (view != MAP_FAILED) {
                munmap(view, part_bytes);
            }
        }
        close(file_);
    }
    [[nodiscard]] bool ready() const { return views_[0] != MAP_FAILED && views_[1] != MAP_FAILED; }
    [[nodiscard]] u8* bytes_now() const { return static_cast<u8*>(views_[0]); }

    static void* map_pages(page_number, pages) noexcept { return nullptr; }
    void* map_segment(segment_id, segment_offset offset, bytes) noexcept {
        return static_cast<u8*>(views_[calls_++ % 2]) + offset.n;
    }
    static void unmap(void*, bytes) noexcept {}

private:
    int file_;
    void* views_[2] = {MAP_FAILED, MAP_FAILED};
    u32 calls_ = 0;
};

}  // namespace

TEST_CASE("OP08-07: places that overlap keep their content when each side is mapped at an address of its own") {
    two_views memory;
    if (!memory.ready()) {
        MESSAGE("this host does not map a file twice: nothing is exercised");
        return;
    }
    driver hw;
    for (u64 const distance : {1u, 7u, 8u, 16u, 40u, 4096u, 4104u, 20000u}) {
        for (bool const upward : {false, true}) {
            CAPTURE(distance);
            CAPTURE(upward);
            u64 const size = 12 * 4096 - 24;
            u64 const from = upward ? 0 : distance;
            u64 const to = upward ? distance : 0;
            for (u64 i = 0; i != part_bytes; ++i) {
                memory.bytes_now()[i] = static_cast<u8>(i * 7 + i / 251);
            }
            std::vector<u8> expected(memory.bytes_now(), memory.bytes_now() + part_bytes);
            std::copy_n(memory.bytes_now() + from, size, expected.begin() + static_cast<std::ptrdiff_t>(to));
            arguments args = of(paging_operation::transfer);
            args.Transfer.Source.SegmentId = args.Transfer.Destination.SegmentId = memory_id;
            args.Transfer.Source.SegmentAddress.QuadPart = static_cast<i64>(memory_base + from);
            args.Transfer.Destination.SegmentAddress.QuadPart = static_cast<i64>(memory_base + to);
            args.Transfer.TransferSize = static_cast<usize>(size);
            args.Transfer.Flags.AllocationIsIdle = 1;
            REQUIRE(execute_on_cpu(hw, memory, args, cpu_moment::at_build).what == cpu_outcome::done);
            REQUIRE(std::equal(expected.begin(), expected.end(), memory.bytes_now()));
        }
    }
}

}  // namespace alias_test

#endif
