// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../base/result.hpp"
#include "../engine/submission.hpp"
#include "patch_location.hpp"

/// How a DMA buffer divides into portions: it may be split at every distinct SplitOffset of its patch list (SPL-02).
///
/// A portion is a packet like any other, with its own fence and window, and other contexts may run before the next
/// one (SPL-12): state is saved and restored at its ends. Hardware that saves nothing there may find other state
/// after a split point, since a paging buffer may have run in between: whoever writes the buffer programs everything
/// that the portion needs right after each split point (SPL-11). The system checks a part of this: what
/// is bound at a split point has to be unbound or programmed again right there (SPL-13).
/// Source page: splitting-a-dma-buffer.md.
///
/// All functions here: any IRQL, touch no OS state, safe in non-paged code. DDI: WDDM 1.0.
namespace wddmcore::inline WDDMCORE_ABI::preemption {

/// A part of a DMA buffer and the elements of the patch list that are patched with it.
struct portion {
    packet_window window;  ///< bytes of the buffer
    u32 first_element;     ///< index of the first patch location
    u32 element_count;     ///< how many patch locations
    friend constexpr bool operator==(portion, portion) = default;
};

/// The next place past `from` at which a buffer may be split.
///
/// @param list       a list that judge_patch_list accepted
/// @param from       bytes from the buffer's start
/// @param dma_bytes  bytes of the buffer that are filled
/// @param element    index of the first element to look at: those before it have no split offset past `from`
/// @return bytes from the buffer's start; dma_bytes when there is no such place
template <members::patch_location Element>
[[nodiscard]] constexpr u32 next_split_point(span<Element const> list, u32 from, u32 dma_bytes,
                                             u32 element = 0) noexcept {
    for (; element < list.count; ++element) {
        u32 const offset = list[element].SplitOffset;
        if (offset > from) {
            return lesser(offset, dma_bytes);
        }
    }
    return dma_bytes;
}

/// Walks the smallest portions that a buffer divides into, from its start: one for each split point (SPL-02).
template <members::patch_location Element>
struct portion_cursor {
    span<Element const> list;  ///< one that judge_patch_list accepted
    u32 dma_bytes;             ///< bytes of the buffer that are filled
    u32 at = 0;                ///< where the next portion starts
    u32 element = 0;           ///< its first element

    /// Whether there is another portion. @return false at the buffer's end; an empty buffer has none
    [[nodiscard]] constexpr bool more() const noexcept { return at < dma_bytes; }

    /// Steps to the next portion; only when there is one, which a checked build asserts. @return the portion
    constexpr portion next() noexcept {
        promise(more());
        u32 const end = next_split_point(list, at, dma_bytes, element);
        u32 last = element;
        // Elements whose split offset is the buffer's end unbind; they belong to the last portion.
        while (last < list.count && (list[last].SplitOffset < end || end == dma_bytes)) {
            ++last;
        }
        portion const found{{at, end}, element, last - element};
        at = end;
        element = last;
        return found;
    }
};

/// The portion of a buffer that a window of bytes means: its start and end are the buffer's or split points, and its
/// elements are those between them (SPL-07). A zero-length window at such a place is a portion without elements
/// (CTX-05).
///
/// @param list       a list that judge_patch_list accepted
/// @param dma_bytes  bytes of the buffer that are filled
/// @param window     start and end offset of a patch or submit request
/// @return the portion. out_of_range: the window leaves the buffer or is reversed. inconsistent: it starts or ends
///         where no split is possible
template <members::patch_location Element>
[[nodiscard]] constexpr result<portion> portion_of(span<Element const> list, u32 dma_bytes,
                                                   packet_window window) noexcept {
    if (!window_is_legal(window, dma_bytes)) {
        return refused<portion>(errc::out_of_range);
    }
    bool start_found = window.start == 0 || window.start == dma_bytes;
    bool end_found = window.end == 0 || window.end == dma_bytes;
    bool const to_the_end = window.start != window.end && window.end == dma_bytes;
    portion found{window, 0, 0};
    for (Element const& element : list) {
        u32 const offset = element.SplitOffset;
        start_found = start_found || offset == window.start;
        end_found = end_found || offset == window.end;
        found.first_element += u32{offset < window.start};
        found.element_count += u32{offset >= window.start && (offset < window.end || to_the_end)};
    }
    if (!start_found || !end_found) {
        return refused<portion>(errc::inconsistent);
    }
    return good(found);
}

/// Whether a driver may still change a buffer's bytes when it submits a portion of it (LDA-05).
///
/// All physical adapters of a link read the same copy, at different times: what is submitted to several in parts must
/// not change between them. DxgkDdiPatch is earlier, before any of them reads the buffer, and may change it.
///
/// Source page: gpu-preemption.md.
///
/// @param window             of the submission, in bytes
/// @param dma_bytes          DmaBufferSize
/// @param physical_adapters  how many the context's affinity names
/// @return true: the portion is the whole buffer, or only one physical adapter reads it
[[nodiscard]] constexpr bool may_modify_at_submission(packet_window window, u32 dma_bytes,
                                                      u32 physical_adapters) noexcept {
    bool const whole = window.start == 0 && window.end == dma_bytes;
    return whole || physical_adapters <= 1;
}
static_assert(!may_modify_at_submission({0, 4096}, 8192, 2) && may_modify_at_submission({0, 8192}, 8192, 2));

}  // namespace wddmcore::preemption
