// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../../base/units.hpp"
#include "../../../ddi/mirror/mirror.hpp"
#include "../../../ddi/operation.hpp"

#include <cstddef>
#include <cstring>
#include <type_traits>
#include <vector>

/// Requests as the system makes them, in whatever structure the arguments come.
namespace wddmcore::inline WDDMCORE_ABI::testing {

namespace law_parts {

template <wddm Version>
[[nodiscard]] consteval auto arguments_at() {
    if constexpr (Version >= wddm::v3_2) {
        return meta::type_is<mirror::v3_2::dxgkarg_buildpagingbuffer>{};
    } else if constexpr (Version >= wddm::v3_1) {
        return meta::type_is<mirror::v3_1::dxgkarg_buildpagingbuffer>{};
    } else if constexpr (Version >= wddm::v2_9) {
        return meta::type_is<mirror::v2_9::dxgkarg_buildpagingbuffer>{};
    } else if constexpr (Version >= wddm::v2_2) {
        return meta::type_is<mirror::v2_2::dxgkarg_buildpagingbuffer>{};
    } else if constexpr (Version >= wddm::v2_0) {
        return meta::type_is<mirror::v2_0::dxgkarg_buildpagingbuffer>{};
    } else if constexpr (Version >= wddm::win8) {
        return meta::type_is<mirror::win8::dxgkarg_buildpagingbuffer>{};
    } else {
        return meta::type_is<mirror::vista::dxgkarg_buildpagingbuffer>{};
    }
}

}  // namespace law_parts

/// The mirrored arguments at the version that a hardware type declares.
template <class Hw>
using law_arguments = typename decltype(law_parts::arguments_at<Hw::caps.version>())::type;

namespace law_parts {

/// An MDL: the header, and after it the page numbers.
template <class Mdl>
class mdl_storage {
    static_assert(sizeof(Mdl) % sizeof(usize) == 0 && alignof(Mdl) <= alignof(std::max_align_t));

public:
    explicit mdl_storage(std::vector<usize> const& numbers) : words_(header_words + numbers.size()) {
        Mdl header{};
        header.ByteCount = static_cast<u32>(numbers.size() * page_bytes);
        std::memcpy(words_.data(), &header, sizeof header);
        std::copy(numbers.begin(), numbers.end(), words_.begin() + header_words);
    }
    [[nodiscard]] Mdl* get() { return reinterpret_cast<Mdl*>(words_.data()); }

private:
    static constexpr std::size_t header_words = sizeof(Mdl) / sizeof(usize);
    std::vector<usize> words_;
};

template <class Args>
using mdl_of = mdl_storage<std::remove_pointer_t<decltype(Args{}.Transfer.Source.pMdl)>>;

/// A request of one operation; its own member of the union still has to be filled in.
template <class Args>
[[nodiscard]] Args request_of(paging_operation operation) {
    Args args;
    std::memset(&args, 0, sizeof args);
    args.Operation = static_cast<decltype(args.Operation)>(static_cast<u32>(operation));
    return args;
}

/// One side of a physical transfer.
struct transfer_end {
    segment_id segment{0};  ///< 0: the pages
    u64 address = 0;        ///< base included, TransferOffset not
    std::vector<usize> pages;
};

/// Operation 0 or 7 between two sides.
template <class Args>
class transfer_arguments {
public:
    transfer_arguments(paging_operation operation, transfer_end const& source, transfer_end const& destination,
                       u32 offset, u64 size, u32 mdl_offset)
        : args(request_of<Args>(operation)), source_pages_(source.pages), destination_pages_(destination.pages) {
        if (operation == paging_operation::transfer) {
            args.Transfer = {};
            args.Transfer.MdlOffset = mdl_offset;
            fill_in(args.Transfer, source, destination, offset, size);
        } else {
            args.SpecialLockTransfer = {};
            fill_in(args.SpecialLockTransfer, source, destination, offset, size);
        }
    }
    transfer_arguments(transfer_arguments const&) = delete;
    transfer_arguments& operator=(transfer_arguments const&) = delete;

    Args args;

private:
    template <class Transfer>
    void fill_in(Transfer& transfer, transfer_end const& source, transfer_end const& destination, u32 offset,
                 u64 size) {
        transfer.TransferOffset = offset;
        transfer.TransferSize = static_cast<usize>(size);
        transfer.Flags.AllocationIsIdle = 1;
        fill_in(transfer.Source, source, source_pages_);
        fill_in(transfer.Destination, destination, destination_pages_);
    }
    template <class Side>
    static void fill_in(Side& side, transfer_end const& end, mdl_of<Args>& storage) {
        side.SegmentId = end.segment.n;
        if (end.segment.n != 0) {
            side.SegmentAddress.QuadPart = static_cast<i64>(end.address);
        } else {
            side.pMdl = storage.get();
        }
    }

    mdl_of<Args> source_pages_;
    mdl_of<Args> destination_pages_;
};

}  // namespace law_parts

}  // namespace wddmcore::testing
