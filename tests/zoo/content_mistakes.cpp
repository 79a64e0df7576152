// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// What drivers do wrong with bytes: operations 0 to 4 and 7, and 8 and 9 of virtual addressing.
#include "mistake.hpp"

namespace zoo {

namespace {

constexpr char const* offsets = "TransferOffset and MdlOffset mixed up";
constexpr char const* exactness = "whole pages only, or one more";
constexpr u64 memory_base = 0x2010'0000'0000;
constexpr u64 memory_bytes = u64{8} << 20;

using mdl = mirror::v1_3::mdl;

[[nodiscard]] bool inside(u64 address, u64 size) {
    return address >= memory_base && address - memory_base <= memory_bytes &&
           size <= memory_base + memory_bytes - address;
}
/// The list of a transfer; none between segments.
[[nodiscard]] mdl* list_of(physical_args& a) {
    return a.Transfer.Source.SegmentId == 0        ? a.Transfer.Source.pMdl
           : a.Transfer.Destination.SegmentId == 0 ? a.Transfer.Destination.pMdl
                                                   : nullptr;
}
[[nodiscard]] u64 pages_of_transfer(physical_args const& a) { return (a.Transfer.TransferSize + 4095) / 4096; }
/// Adds to the segment sides, as far as the result is memory.
void add_to_segments(physical_args& a, i64 distance) {
    for (auto* const side : {&a.Transfer.Source, &a.Transfer.Destination}) {
        u64 const to = static_cast<u64>(side->SegmentAddress.QuadPart + distance);
        if (side->SegmentId == 2 && inside(to + a.Transfer.TransferOffset, a.Transfer.TransferSize)) {
            side->SegmentAddress.QuadPart = static_cast<i64>(to);
        }
    }
}
/// The build with a list of our own in the place of the system's.
template <class Page>
int with_list(void* d, physical_args& a, Page const& page) {
    mdl* const given = a.Operation == 0 ? list_of(a) : nullptr;
    if (given == nullptr || a.Transfer.TransferSize == 0) {
        return build(d, a);
    }
    static u64 space[(sizeof(mdl) + 4096 * sizeof(usize)) / 8];
    mdl* const own = reinterpret_cast<mdl*>(space);
    *own = *given;
    for (u64 i = 0; i != page_count(given); ++i) {
        pages_of(own)[i] = page(i);
    }
    return with(d, a, [own](physical_args& other) {
        auto& side = other.Transfer.Source.SegmentId == 0 ? other.Transfer.Source : other.Transfer.Destination;
        side.pMdl = own;
    });
}

using enum sound_driver;

constexpr mistake content_rows[] = {
    {"MdlOffset is ignored", offsets, "OP00-02", physical, physical_reads<[](physical_args& a) {
         if (a.Operation == 0) {
             a.Transfer.MdlOffset = 0;
         }
     }>},
    {"MdlOffset is added twice", offsets, "OP00-02", physical, physical_reads<[](physical_args& a) {
         if (a.Operation == 0 && list_of(a) != nullptr &&
             2 * u64{a.Transfer.MdlOffset} + pages_of_transfer(a) <= page_count(list_of(a))) {
             a.Transfer.MdlOffset *= 2;
         }
     }>},
    {"MdlOffset is added to the segment side too", "same MdlOffset added to both sides", "OP00-02", physical,
     physical_reads<[](physical_args& a) {
         if (a.Operation == 0) {
             add_to_segments(a, i64{a.Transfer.MdlOffset} * 4096);
         }
     }>},
    {"TransferOffset is ignored", "segment side ignores TransferOffset", "OP00-02", physical,
     physical_reads<[](physical_args& a) {
         if (a.Operation == 0) {
             a.Transfer.TransferOffset = 0;
         }
     }>},
    {"TransferOffset is added to the MDL side", "MDL side offset by TransferOffset", "OP00-02", physical,
     physical_reads<[](physical_args& a) {
         if (a.Operation == 0 && list_of(a) != nullptr &&
             u64{a.Transfer.MdlOffset} + a.Transfer.TransferOffset / 4096 + pages_of_transfer(a) <=
                 page_count(list_of(a))) {
             a.Transfer.MdlOffset += a.Transfer.TransferOffset / 4096;
         }
     }>},
    {"source and destination are exchanged", "the sides taken by their order", "OP00-01", physical,
     physical_reads<[](physical_args& a) {
         if (a.Operation == 0) {
             auto const source = a.Transfer.Source;
             a.Transfer.Source = a.Transfer.Destination;
             a.Transfer.Destination = source;
         }
     }>},
    {"the segment's base is added to an address that has it", "segment base wrong", "OP00-03", physical,
     physical_builds<[](void* d, physical_args& a) {
         return then_each_record(d, a, [&a](u32* r) {
             for (u32 const at : {2u, 4u}) {
                 if (a.Operation == 0 && (*r & 0xff) == 1 && inside(word(r + at), 1)) {
                     set_word(r + at, word(r + at) + memory_base);
                 }
             }
         });
     }>},
    {"segment addresses are cut to 32 bits", "width: computed in 32 bits", "SEG-28", physical,
     physical_builds<[](void* d, physical_args& a) {
         return then_each_record(d, a, [&a](u32* r) {
             if (a.Operation == 1 && (*r & 0xff) == 2) {
                 r[3] = 0;
             }
         });
     }>},
    {"a transfer moves whole pages only", exactness, "OP00-05", physical, physical_reads<[](physical_args& a) {
         if (a.Operation == 0 && 4096 < a.Transfer.TransferSize) {
             a.Transfer.TransferSize = a.Transfer.TransferSize / 4096 * 4096;
         }
     }>},
    {"a transfer is rounded up to whole pages", exactness, "OP00-05", physical, physical_reads<[](physical_args& a) {
         if (a.Operation == 0) {
             a.Transfer.TransferSize = (a.Transfer.TransferSize + 4095) / 4096 * 4096;
         }
     }>},
    {"a transfer that begins again is not done again", "a transfer taken for done once it was begun", "OP00-06",
     physical, physical_builds<[](void* d, physical_args& a) {
         if (a.Operation != 0 || a.Transfer.TransferSize == 0) {
             return build(d, a);
         }
         auto& t = a.Transfer;
         u64 const to = t.Destination.SegmentId == 0 ? 0 : static_cast<u64>(t.Destination.SegmentAddress.QuadPart);
         std::pair<u64, u64> const part{reinterpret_cast<std::uintptr_t>(t.hAllocation) ^ to, t.TransferOffset};
         if (t.hAllocation != nullptr && kept.done.contains(part) && a.MultipassOffset == 0) {
             return static_cast<int>(status::success);
         }
         int const status = build(d, a);
         if (t.Flags.TransferEnd != 0) {
             kept.done.clear();
         } else if (status == status::success) {
             kept.done.insert(part);
         }
         return status;
     }>},
    {"a transfer of size 0 emits a command", "a reset's notice taken for a transfer", "OP00-09", physical,
     physical_builds<[](void* d, physical_args& a) {
         int const status = build(d, a);
         if (a.Operation == 0 && a.Transfer.TransferSize == 0 && a.DmaSize >= 8) {
             u32* const at = static_cast<u32*>(a.pDmaBuffer);
             at[0] = at[1] = 0x100;
             a.pDmaBuffer = at + 2;
         }
         return status;
     }>},
    {"the pages are taken as one run after the first", "a scan for contiguous pages never ends", "OP00-10", physical,
     physical_builds<[](void* d, physical_args& a) {
         mdl* const given = a.Operation == 0 ? list_of(a) : nullptr;
         u64 const first = given != nullptr ? a.Transfer.MdlOffset : 0;
         return with_list(d, a, [=](u64 i) { return i < first ? 0 : pages_of(given)[first] + (i - first); });
     }>},
    {"the first page of the list is used for all", "incomplete page groups", "OP00-10", physical,
     physical_builds<[](void* d, physical_args& a) {
         mdl* const given = a.Operation == 0 ? list_of(a) : nullptr;
         u64 const first = given != nullptr ? a.Transfer.MdlOffset : 0;
         return with_list(d, a, [=](u64) { return pages_of(given)[first]; });
     }>},
    {"the list begins anew every 16 pages", "incomplete page groups", "OP00-10", physical,
     physical_builds<[](void* d, physical_args& a) {
         mdl* const given = a.Operation == 0 ? list_of(a) : nullptr;
         u64 const first = given != nullptr ? a.Transfer.MdlOffset : 0;
         return with_list(d, a, [=](u64 i) { return pages_of(given)[i < first ? i : first + (i - first) % 4]; });
     }>},
    {"one entry past the list is looked at while merging", "over-read while coalescing", "OP00-10", physical,
     physical_builds<[](void* d, physical_args& a) {
         mdl* const given = a.Operation == 0 ? list_of(a) : nullptr;
         if (given != nullptr && a.Transfer.TransferSize != 0) {
             kept.last = *const_cast<usize volatile*>(pages_of(given) + page_count(given));
         }
         return build(d, a);
     }>},
    {"a fill repeats the lowest byte", "byte fill", "OP01-02", physical, physical_reads<[](physical_args& a) {
         if (a.Operation == 1) {
             a.Fill.FillPattern = (a.Fill.FillPattern & 0xff) * 0x0101'0101U;
         }
     }>},
    {"a fill ends with the last whole page", exactness, "OP01-02", physical, physical_reads<[](physical_args& a) {
         if (a.Operation == 1 && 4096 < a.Fill.FillSize) {
             a.Fill.FillSize = a.Fill.FillSize / 4096 * 4096 - 64;
         }
     }>},
    {"a fill goes on to the end of a page", exactness, "OP01-02", physical, physical_reads<[](physical_args& a) {
         if (a.Operation == 1) {
             a.Fill.FillSize = (a.Fill.FillSize + 4096) / 4096 * 4096;
         }
     }>},
    {"discarding clears the memory", "content work where none is asked for", "OP02-01", physical,
     physical_builds<[](void* d, physical_args& a) {
         if (a.Operation != 2) {
             return build(d, a);
         }
         return with(d, a, [](physical_args& other) {
             auto const where = other.DiscardContent;
             other.Operation = 1;
             other.Fill.hAllocation = where.hAllocation;
             other.Fill.FillSize = 4096;
             other.Fill.FillPattern = 0;
             other.Fill.Destination.SegmentId = where.SegmentId;
             other.Fill.Destination.SegmentAddress = where.SegmentAddress;
         });
     }>},
    {"a physical read is one word late", "an address taken from another member", "OP03-01", physical,
     physical_reads<[](physical_args& a) { a.ReadPhysical.PhysicalAddress.QuadPart += a.Operation == 3 ? 8 : 0; }>},
    {"a physical write is one word late", "an address taken from another member", "OP04-01", physical,
     physical_reads<[](physical_args& a) { a.WritePhysical.PhysicalAddress.QuadPart += a.Operation == 4 ? 8 : 0; }>},
    {"a special lock transfer moves all but its last page", exactness, "OP07-01", physical,
     physical_reads<[](physical_args& a) {
         if (a.Operation == 7 && 4096 < a.SpecialLockTransfer.TransferSize) {
             a.SpecialLockTransfer.TransferSize -= 4096;
         }
     }>},
    {"the chunk's offset is added to both virtual addresses", offsets, "OP08-01", skeleton,
     virtual_reads<[](virtual_args& a) {
         if (a.Operation == 8) {
             a.TransferVirtual.SourceVirtualAddress += a.TransferVirtual.AllocationOffsetInBytes;
             a.TransferVirtual.DestinationVirtualAddress += a.TransferVirtual.AllocationOffsetInBytes;
         }
     }>},
    {"the chunk's offset is added to a virtual fill's address", offsets, "OP09-01", skeleton,
     virtual_reads<[](virtual_args& a) {
         if (a.Operation == 9) {
             a.FillVirtual.DestinationVirtualAddress += a.FillVirtual.AllocationOffsetInBytes;
         }
     }>},
    {"a virtual fill ends with the last whole page but one", exactness, "OP09-01", skeleton,
     virtual_reads<[](virtual_args& a) {
         if (a.Operation == 9 && 4096 < a.FillVirtual.FillSizeInBytes) {
             a.FillVirtual.FillSizeInBytes -= 4096;
         }
     }>},
};

}  // namespace

std::span<mistake const> content_mistakes() { return content_rows; }

}  // namespace zoo
