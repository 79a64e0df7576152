// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "machine.hpp"

#include <wddmcore/testing/kernel/traps.hpp>

#include <vector>

#if defined(__x86_64__) && defined(__linux__)

// Memory of a process of which each read is looked at.
namespace {

using namespace wddmcore::testing::kernel_parts;
using driver_image_tests::ended;
using driver_image_tests::machine;
using user_space::read_watch;
using user_space::user_memory;

struct read {
    std::uintptr_t at;
    std::size_t bytes;
    bool by_kernel = false;
};

/// Whether the last of these reads is one of what was read before.
bool is_again(std::vector<read> const& all) {
    read_watch watch;
    std::string last;
    for (read const& r : all) {
        last = watch.read(r.at, r.bytes, r.by_kernel, "somebody");
    }
    return !last.empty();
}

TEST_CASE("AMB-68: what is read again is told, and a copy that overlaps itself is not") {
    CHECK_FALSE(is_again({{0x1000, 4}, {0x1004, 4}, {0x0FFC, 4}}));
    CHECK(is_again({{0x1000, 4}, {0x1000, 4}}));
    CHECK(is_again({{0x1000, 8}, {0x1004, 4}}));               // a part of it
    CHECK(is_again({{0x1004, 4}, {0x1000, 16}}));              // looked at, then copied with the rest
    CHECK(is_again({{0x1000, 4}, {0x1004, 4}, {0x1002, 4}}));  // nothing new in it
    CHECK_FALSE(is_again({{0x1000, 4}, {0x1003, 4}}));         // seven bytes by two loads
    CHECK_FALSE(is_again({{0x1000, 16}, {0x1010, 16}, {0x1011, 16}}));
    // Of the kernel's copies the bytes are known.
    CHECK(is_again({{0x1000, 7, true}, {0x1006, 7, true}}));
    CHECK(is_again({{0x1000, 7, true}, {0x1006, 7}}));
    CHECK_FALSE(is_again({{0x1000, 7, true}, {0x1007, 7, true}}));
}

#    if defined(ZYDIS_H)

/// What is told of a call that reads a piece of 64 bytes.
template <class Call>
std::string told(Call const& call) {
    return ended([&](kernel_system& k) {
        traps::install(k, 20);
        std::vector<std::byte> const content(64, std::byte{7});
        user_memory sent(content);
        read_watch::current().begin({&sent});
        call(sent.data());
    });
}

TEST_CASE("AMB-68: each instruction that touches what a process has sent runs for one step") {
    // The instructions of this test stand for a function of the kernel: they are carried out, and not looked at.
    CHECK(told([](std::byte const* at) {
              std::uint64_t first = 0;
              std::uint32_t second = 0;
              std::array<std::byte, 64> copy{};
              void const* from = at;
              void* to = copy.data();
              std::size_t count = 8;
              __asm__ volatile("movq 8(%2), %0\n\tmovl 8(%2), %1" : "=&r"(first), "=&r"(second) : "r"(at));
              __asm__ volatile("rep movsq" : "+S"(from), "+D"(to), "+c"(count)::"memory");
              bool const good = first == 0x0707'0707'0707'0707 && second == 0x0707'0707 && count == 0 &&
                                std::all_of(copy.begin(), copy.end(), [](std::byte b) { return b == std::byte{7}; });
              if (!good) {
                  ::_exit(9);
              }
          }) == "exit 0");
    // What the driver has the kernel copy is looked at.
    CHECK(told([](std::byte const* at) {
              std::array<std::byte, 64> copy{};
              copies::copy(copy.data(), at, 32);
              copies::copy(copy.data() + 32, at + 32, 32);
          }) == "exit 0");
    CHECK(told([](std::byte const* at) {
              std::array<std::byte, 64> copy{};
              copies::copy(copy.data(), at, 32);
              copies::copy(copy.data() + 31, at + 31, 32);
          }) ==
          "AMB-68: what a process has sent is read again, by a function of the kernel, and was read by a function "
          "of the kernel: it may have changed");
}

#    endif

}  // namespace

#endif
