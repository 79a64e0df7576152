// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "machine.hpp"

#include <wddmcore/testing/kernel/traps.hpp>

#if defined(__x86_64__) && defined(__linux__) && defined(ZYDIS_H)

// Registers and ports of a device, as a driver's instructions reach them.
namespace {

using namespace wddmcore::testing::kernel_parts;
using driver_image_tests::ended;
using driver_image_tests::machine;

constexpr std::uint64_t registers_at_bus = 0xF000'0000;

/// A device that remembers what it was asked: a read of byte n gives n, n + 1, and so on.
struct device {
    std::string asked;
    device() {
        auto& access = traps::device_access::current();
        access.read = [this](std::uint32_t range, std::uint64_t offset, std::uint32_t bytes) {
            note("r", range, offset, bytes);
            std::uint64_t value = 0;
            for (std::uint32_t i = 0; i < bytes; ++i) {
                value |= (offset + i) << (8 * i);
            }
            return value;
        };
        access.write = [this](std::uint32_t range, std::uint64_t offset, std::uint32_t bytes, std::uint64_t value) {
            note("w", range, offset, bytes);
            asked += "=" + std::to_string(value);
        };
    }
    void note(char const* what, std::uint32_t range, std::uint64_t offset, std::uint32_t bytes) {
        asked += (asked.empty() ? "" : " ") + std::string(what) + std::to_string(bytes) + "@" + std::to_string(range) +
                 ":" + std::to_string(offset);
    }
};

/// Registers behind 256 bytes of memory, mapped; 2 pages of them.
std::byte* mapped_registers(kernel_system& k) {
    static std::array<std::byte, 256> memory{};
    traps::install(k, 20);
    auto& ranges = memory_services::physical_memory::current().ranges;
    ranges.push_back({0xE000'0000, memory.size(), memory.data(), false});
    ranges.push_back({registers_at_bus, 8192, traps::reserve_registers(8192), true});
    return static_cast<std::byte*>(memory_services::map_io(registers_at_bus, 8192, 0));
}

/// What the device is asked by instructions that get the registers' address.
template <class Instructions>
std::string asked_by(Instructions const& instructions) {
    return ended([&](kernel_system& k) {
        device d;
        std::byte* const at = mapped_registers(k);
        std::string const wrong = instructions(at);
        k.find("asked", d.asked + wrong);
    });
}

TEST_CASE("each access to a register is one question of its width") {
    CHECK(asked_by([](std::byte* at) {
              std::uint64_t wide = 0;
              std::uint32_t narrow = 0;
              std::uint8_t byte = 0;
              __asm__ volatile("movq 8(%3), %0\n\tmovl 16(%3), %1\n\tmovb 1(%3), %2"
                               : "=&r"(wide), "=&r"(narrow), "=&r"(byte)
                               : "r"(at));
              return wide == 0x0F0E'0D0C'0B0A'0908 && narrow == 0x1312'1110 && byte == 1 ? "" : ", wrong values";
          }) == "asked: r8@1:8 r4@1:16 r1@1:1");
    CHECK(asked_by([](std::byte* at) {
              __asm__ volatile("movl $7, 4(%0)\n\tmovw $8, 4096(%0)\n\tmovq %1, 8(%0)" ::"r"(at),
                               "r"(std::uint64_t{1} << 40)
                               : "memory");
              return "";
          }) == "asked: w4@1:4=7 w2@1:4096=8 w8@1:8=1099511627776");
}

TEST_CASE("a move changes no more of a processor's register than it moves, and takes the second byte of one, too") {
    CHECK(asked_by([](std::byte* at) {
              std::uint64_t a = ~std::uint64_t{0};
              std::uint64_t b = a;
              std::uint64_t c = a;
              __asm__ volatile("movb 1(%3), %%al\n\tmovb 2(%3), %%bh\n\tmovw 4(%3), %%cx\n\tmovl 8(%3), %%edx"
                               : "+a"(a), "+b"(b), "+c"(c)
                               : "S"(at)
                               : "rdx");
              return a == 0xFFFF'FFFF'FFFF'FF01 && b == 0xFFFF'FFFF'FFFF'02FF && c == 0xFFFF'FFFF'FFFF'0504
                         ? ""
                         : ", wrong values";
          }) == "asked: r1@1:1 r1@1:2 r2@1:4 r4@1:8");
    CHECK(asked_by([](std::byte* at) {
              std::uint64_t cleared = ~std::uint64_t{0};
              __asm__ volatile("movl 8(%1), %k0" : "+r"(cleared) : "r"(at));
              return cleared == 0x0B0A'0908 ? "" : ", the upper half stays";
          }) == "asked: r4@1:8");
    CHECK(asked_by([](std::byte* at) {
              __asm__ volatile("movq $-2, 8(%0)\n\tmovb %%ah, 16(%0)\n\tmovb %%al, 17(%0)\n\tmovw %%ax, 18(%0)"
                               :
                               : "S"(at), "a"(0x1234'5678)
                               : "memory");
              return "";
          }) == "asked: w8@1:8=18446744073709551614 w1@1:16=86 w1@1:17=120 w2@1:18=22136");
}

TEST_CASE("a register is read and written by one instruction, scaled, sign-extended and repeated") {
    CHECK(asked_by([](std::byte* at) {
              __asm__ volatile("orl $0x80, 16(%0,%1,4)" ::"r"(at), "r"(std::uint64_t{4}) : "memory", "cc");
              return "";
          }) == "asked: r4@1:32 w4@1:32=589439392");  // 0x23222120 | 0x80
    CHECK(asked_by([](std::byte* at) {
              std::int64_t value = 0;
              __asm__ volatile("movsbq 0xF0(%1), %0" : "=r"(value) : "r"(at));
              return value == -16 ? "" : ", wrong value";
          }) == "asked: r1@1:240");
    CHECK(asked_by([](std::byte* at) {
              std::array<std::uint32_t, 3> words{1, 2, 3};
              std::uint32_t const* from = words.data();
              std::size_t count = words.size();
              __asm__ volatile("rep movsl" : "+S"(from), "+D"(at), "+c"(count)::"memory");
              return count == 0 ? "" : ", not all";
          }) == "asked: w4@1:0=1 w4@1:4=2 w4@1:8=3");
    CHECK(asked_by([](std::byte* at) {
              __asm__ volatile("movups 32(%0), %%xmm1\n\tmovups %%xmm1, 64(%0)" ::"r"(at) : "memory", "xmm1");
              return "";
          }) == "asked: r8@1:32 r8@1:40 w8@1:64=2820983053732684064 w8@1:72=3399704436437297448");
}

TEST_CASE("registers are mapped before they are used, and not beyond what the device has") {
    CHECK(ended([](kernel_system& k) {
              device d;
              std::byte* const at = mapped_registers(k);
              memory_services::unmap_io(at, 8192);
              __asm__ volatile("movl $7, 4(%0)" ::"r"(at) : "memory");
          }) == "0x50 PAGE_FAULT_IN_NONPAGED_AREA: registers are used that are not mapped, by outside the image");
    CHECK(ended([](kernel_system& k) {
              mapped_registers(k);
              memory_services::map_io(registers_at_bus + 4096, 8192, 0);
          }) == "0x1A MEMORY_MANAGEMENT: MmMapIoSpace: the device has no memory there");
}

TEST_CASE("an interrupt routine that runs while the device is asked asks it, too") {
    CHECK(ended([](kernel_system& k) {
              static std::byte* at;
              static std::string order;
              order.clear();
              auto& access = traps::device_access::current();
              access.read = [](std::uint32_t, std::uint64_t offset, std::uint32_t) {
                  order += "read " + std::to_string(offset) + ' ';
                  if (offset == 0) {
                      std::uint32_t inner = 0;
                      __asm__ volatile("movl 8(%1), %0" : "=r"(inner) : "r"(at));
                      order += std::to_string(inner) + ' ';
                  }
                  return 100 + offset;
              };
              access.write = [](std::uint32_t, std::uint64_t offset, std::uint32_t, std::uint64_t value) {
                  order += "write " + std::to_string(offset) + '=' + std::to_string(value) + ' ';
                  if (offset == 4) {
                      __asm__ volatile("movl $9, 12(%0)" ::"r"(at) : "memory");
                  }
              };
              at = mapped_registers(k);
              std::uint32_t outer = 0;
              __asm__ volatile("movl (%1), %0\n\tmovl %0, 4(%1)" : "=&r"(outer) : "r"(at) : "memory");
              k.find("order", order + std::to_string(outer));
          }) == "order: read 0 read 8 108 write 4=100 write 12=9 100");
}

TEST_CASE("an interrupt that a register access raises comes when the driver's function is over") {
    CHECK(ended([](kernel_system& k) {
              device d;
              std::string order;
              traps::device_access::current().write = [&](std::uint32_t, std::uint64_t, std::uint32_t, std::uint64_t) {
                  order += traps::device_access::current().is_asked() ? "asked " : "not asked ";
                  k.interrupts.push_back(3);
              };
              k.on_interrupt = [&](std::uint32_t message) {
                  order += "interrupt " + std::to_string(message) + " at " + std::to_string(k.level());
              };
              std::byte* const at = mapped_registers(k);
              k.call("DxgkDdiSubmitCommand", dispatch_level, [&] {
                  __asm__ volatile("movl $7, 4(%0)" ::"r"(at) : "memory");
                  order += "end ";
              });
              k.find("order", order);
          }) == "order: asked end interrupt 3 at 2");
}

/// Carries out one instruction with these registers, as the handler of its fault does.
ucontext_t carried_out(std::vector<std::uint8_t> code, greg_t rax, greg_t rdx) {
    ucontext_t c{};
    code.resize(15, 0x90);  // as many bytes as an instruction can have
    traps::reg(c, REG_RIP) = reinterpret_cast<greg_t>(code.data());
    traps::reg(c, REG_RAX) = rax;
    traps::reg(c, REG_RDX) = rdx;
    CHECK(traps::privileged(c));
    traps::reg(c, REG_RIP) -= reinterpret_cast<greg_t>(code.data());
    return c;
}

TEST_CASE("ports answer in their width, and only those that the device has") {
    machine m;
    std::string asked;
    auto& access = traps::device_access::current();
    access.first_port = 0x3C0;
    access.port_count = 16;
    access.read_port = [&asked](std::uint32_t port, std::uint32_t bytes) {
        asked += "in" + std::to_string(bytes) + ":" + std::to_string(port) + " ";
        return 0x1234'5678U;
    };
    access.write_port = [&asked](std::uint32_t port, std::uint32_t bytes, std::uint32_t value) {
        asked += "out" + std::to_string(bytes) + ":" + std::to_string(port) + "=" + std::to_string(value) + " ";
    };
    constexpr greg_t before = 0x7777'7777'7777'7777;
    CHECK(carried_out({0xEC}, before, 0x3C1).uc_mcontext.gregs[REG_RAX] == 0x7777'7777'7777'7778);        // in al, dx
    CHECK(carried_out({0x66, 0xED}, before, 0x3C2).uc_mcontext.gregs[REG_RAX] == 0x7777'7777'7777'5678);  // in ax, dx
    CHECK(carried_out({0xED}, before, 0x3C4).uc_mcontext.gregs[REG_RAX] == 0x1234'5678);                  // in eax, dx
    CHECK(carried_out({0xED}, before, 0x3CE).uc_mcontext.gregs[REG_RAX] == 0xFFFF'FFFF);              // beyond the last
    CHECK(carried_out({0xE4, 0x60}, before, 0).uc_mcontext.gregs[REG_RAX] == 0x7777'7777'7777'77FF);  // in al, 0x60
    CHECK(carried_out({0xEE}, 0x1FF, 0x3C8).uc_mcontext.gregs[REG_RIP] == 1);                         // out dx, al
    carried_out({0xEF}, 0x1'0000'0001, 0x3CC);                                                        // out dx, eax
    carried_out({0xEF}, 1, 0x3D0);
    CHECK(asked == "in1:961 in2:962 in4:964 out1:968=255 out4:972=1 ");
    void* port = nullptr;
    CHECK(dxgk_services::map_memory(nullptr, 0x3C0, 16, 1, 0, 0, &port) == nt::success);
    CHECK(port == reinterpret_cast<void*>(0x3C0));
    CHECK(dxgk_services::unmap_memory(nullptr, port) == nt::success);
    CHECK(dxgk_services::map_memory(nullptr, 0x3C0, 17, 1, 0, 0, &port) == nt::unsuccessful);
    CHECK(m.found(0).find("DxgkCbMapMemory: the device has no ports there") != std::string::npos);
    access = {};
}

}  // namespace

#endif
