// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// Three generations of one vendor, one hardware type: limits, engines and page tables are members of the object, which
// AddDevice writes and check_numbers judges (hardware/amd_generations.hpp). Each chip is driven against its own decoder:
// a copy and a fill through its own page tables, in the last addresses that it has; and its answers are its own.

#include "three_generations/answers.hpp"

#include <cstdio>
#include <cstring>

using namespace wddmcore;
using namespace wddmcore::examples;

namespace {

constexpr silicon chips[] = {{0x3F'FFE0, 3, 2}, {0x40'0000, 4, 3}, {0x10'0000, 4, 4}};
constexpr u64 moved = 10 * mib.n;
constexpr u64 from = 16 * mib.n, to = 32 * mib.n;  // in video memory

/// Moves bytes, then fills a part of them; each by as few commands as the chip can.
bool moves_bytes(amd::any_generation& gpu, silicon chip) {
    bench table(gpu, chip);
    u64 const end = u64{1} << (12 + 9 * chip.levels);
    u64 const source = end - 16 * mib.n, destination = end - 32 * mib.n;
    bool good = table.map(source, from, moved) && table.map(destination, to, moved);
    for (u64 i = 0; good && i != moved; ++i) {
        table.at(from)[i] = static_cast<std::byte>(i * 7 + i / 251);
    }
    arguments copy{};
    copy.Operation = static_cast<u32>(paging_operation::virtual_transfer);
    copy.TransferVirtual = {};
    copy.TransferVirtual.TransferSizeInBytes = moved;
    copy.TransferVirtual.SourceVirtualAddress = source;
    copy.TransferVirtual.DestinationVirtualAddress = destination;
    u64 const pages = chip.most_bytes / 4096;
    good = good && table.run(copy) && table.commands == (moved / 4096 + pages - 1) / pages;
    good = good && std::memcmp(table.at(from), table.at(to), moved) == 0;

    arguments fill{};
    fill.Operation = static_cast<u32>(paging_operation::virtual_fill);
    fill.FillVirtual = {};
    fill.FillVirtual.FillSizeInBytes = moved;
    fill.FillVirtual.FillPattern = 0x0102'0304;
    fill.FillVirtual.DestinationVirtualAddress = source;
    good = good && table.run(fill);
    for (u64 i = 0; good && i != moved; ++i) {
        good = table.at(from)[i] == static_cast<std::byte>(4 - i % 4);
    }
    // The first address that this chip does not have.
    copy.TransferVirtual.SourceVirtualAddress = end - moved + 4096;
    return good && !table.run(copy);
}

}  // namespace

int main() {
    bool all = true;
    for (u32 i = 0; i != 3; ++i) {
        amd::any_generation gpu = bench::started();
        bool const known = gpu.recognise(amd::generations[i]) == no_number_broken;
        bool const moves = known && moves_bytes(gpu, chips[i]);
        bool const said = known && answers(gpu, chips[i]);
        std::printf("%-18s %7llu bytes a command, %u nodes, %u levels: %s, %s\n", amd::generations[i].name,
                    gpu.most_bytes.n, gpu.nodes, chips[i].levels, moves ? "every byte equal" : "WRONG BYTES",
                    said ? "answers agree" : "WRONG ANSWERS");
        all = all && moves && said;
    }
    amd::any_generation unknown = bench::started();
    broken_number const refused = unknown.recognise({"newer", 8 * mib, 4, 1});
    std::printf("%-18s is refused: %s (%llu to %llu, not %llu)\n", "a newer one", text_of(refused.what), refused.least,
                refused.most, refused.value);
    return all && refused.what == promised_number::copy_max ? 0 : 1;
}
