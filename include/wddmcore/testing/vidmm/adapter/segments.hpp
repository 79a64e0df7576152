// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "machine.hpp"

namespace wddmcore::inline WDDMCORE_ABI::testing::vidmm_parts {

/// What one pair of segment queries gave.
struct reported_segments {
    std::vector<vidmm_reported_segment> segments;
    vidmm_paging_buffer paging_buffer;
};

template <class Descriptor>
void read_common(Descriptor const& d, vidmm_reported_segment& s) {
    s.flags = d.Flags.Value;
    s.base = static_cast<std::uint64_t>(d.BaseAddress.QuadPart);
    s.size = d.Size;
    s.cpu_address = static_cast<std::uint64_t>(d.CpuTranslatedAddress.QuadPart);
    if constexpr (requires { d.CommitLimit; }) {
        s.commit_limit = d.CommitLimit;
    }
    if constexpr (requires { d.SystemMemoryEndAddress; }) {
        s.system_memory_end = d.SystemMemoryEndAddress;
    }
    if constexpr (requires { d.NbOfBanks; }) {
        s.bank_count = d.NbOfBanks;
        if (d.pBankRangeTable != nullptr && d.NbOfBanks != 0) {
            // The last bank ends with the segment: its end need not be there (SEG-24).
            s.banks.assign(d.pBankRangeTable, d.pBankRangeTable + d.NbOfBanks - 1);
        }
    }
    if constexpr (requires { d.CpuHostAperture; }) {
        if (s.has(vidmm_segment_flag::supports_cpu_host_aperture)) {
            s.cpu_address = d.CpuHostAperture.PhysicalAddress;
            s.host_aperture_pages = d.CpuHostAperture.SizeInPages;
        }
        s.invalid_ranges = d.NumInvalidMemoryRanges;
        s.uefi_ranges = d.NumUEFIFrameBufferRanges;
        s.vpr_start = d.VprRangeStartOffset;
        s.vpr_size = d.VprRangeSize;
        s.vpr_alignment = d.VprAlignment;
        s.vpr_reserve = d.VprReserveSize;
    }
}

/// Asks one physical adapter for its segments, in the form that the driver's version has.
class segment_asker {
public:
    explicit segment_asker(adapter_machine& m) : m_(m) {}

    /// @return nothing when the driver does not answer as it must
    [[nodiscard]] std::optional<reported_segments> ask(std::uint32_t adapter) {
        if (m_.options.form5) {
            return form5(adapter);
        }
        if (at_least(m_.version, wddm::v2_0)) {
            return form4(adapter);
        }
        return at_least(m_.version, wddm::win8)
                   ? listed<mirror::v3_2::dxgk_querysegmentout3, mirror::v3_2::dxgk_segmentdescriptor3>(
                         adapter_query::querysegment3, "QUERYSEGMENT3")
                   : listed<mirror::v3_2::dxgk_querysegmentout, mirror::v3_2::dxgk_segmentdescriptor>(
                         adapter_query::querysegment, "QUERYSEGMENT");
    }

private:
    // An output for the first call: junk everywhere but in what tells that call from the second.
    template <class Out>
    [[nodiscard]] Out unasked() {
        Out out;
        write_content(std::as_writable_bytes(std::span(&out, 1)), m_.junk(), 0);
        out.NbSegment = 0;
        out.pSegmentDescriptor = nullptr;
        return out;
    }

    // SEG-01: no member but the count may differ from what was sent.
    template <class Out>
    [[nodiscard]] static bool same_but_count(Out const& sent, Out const& got) {
        bool same = sent.pSegmentDescriptor == got.pSegmentDescriptor &&
                    sent.PagingBufferSegmentId == got.PagingBufferSegmentId &&
                    sent.PagingBufferSize == got.PagingBufferSize &&
                    sent.PagingBufferPrivateDataSize == got.PagingBufferPrivateDataSize;
        if constexpr (requires { sent.SegmentDescriptorStride; }) {
            same = same && sent.SegmentDescriptorStride == got.SegmentDescriptorStride;
        }
        return same;
    }

    template <class Out>
    [[nodiscard]] std::optional<std::uint32_t> count_of(query_reply const& reply, Out const& sent, char const* form) {
        if (!m_.check(reply.success(), vidmm_rule::seg_04, std::string(form) + " was refused")) {
            return std::nullopt;
        }
        Out const got = reply.as<Out>();
        m_.check(same_but_count(sent, got), vidmm_rule::seg_01,
                 std::string(form) + ", first call: another member was written");
        return fits(got.NbSegment, form) ? std::optional(got.NbSegment) : std::nullopt;
    }

    [[nodiscard]] bool fits(std::uint32_t count, char const* form) {
        std::uint32_t const most = at_least(m_.version, wddm::v2_0) ? 30 : 31;
        return m_.check(count <= most, vidmm_rule::seg_06,
                        std::string(form) + ": " + std::to_string(count) + " segments");
    }

    template <class Out>
    [[nodiscard]] bool second_call_holds(query_reply const& reply, std::uint32_t count, char const* form) {
        return m_.check(reply.success(), vidmm_rule::seg_04, std::string(form) + ", second call: refused") &&
               m_.check(reply.as<Out>().NbSegment == count, vidmm_rule::seg_02,
                        std::string(form) + ": " + std::to_string(count) + " segments in the first call, " +
                            std::to_string(reply.as<Out>().NbSegment) + " in the second");
    }

    template <class Out>
    [[nodiscard]] static vidmm_paging_buffer paging_buffer_of(Out const& out) {
        return {out.PagingBufferSegmentId, out.PagingBufferSize, out.PagingBufferPrivateDataSize, true};
    }

    template <class Out, class Descriptor>
    [[nodiscard]] std::optional<reported_segments> listed(adapter_query type, char const* form) {
        mirror::v3_2::dxgk_querysegmentin in{};
        if (m_.options.agp_aperture) {
            in.AgpApertureBase.QuadPart = agp_base;
            in.AgpApertureSize.QuadPart = agp_size;
            in.AgpFlags.Value = vidmm_segment_flag::agp;
        }
        Out const first = unasked<Out>();
        auto const count = count_of(m_.ask(type, bytes_of(in), bytes_of(first), form), first, form);
        if (!count) {
            return std::nullopt;
        }
        auto const array = zeroes(*count * sizeof(Descriptor));
        Out second{};
        second.NbSegment = *count;
        second.pSegmentDescriptor = reinterpret_cast<Descriptor*>(array->data());
        query_reply const reply = m_.ask(type, bytes_of(in), bytes_of(second), form);
        if (!second_call_holds<Out>(reply, *count, form)) {
            return std::nullopt;
        }
        reported_segments found{{}, paging_buffer_of(reply.as<Out>())};
        for (std::uint32_t i = 0; i < *count; ++i) {
            read<Descriptor>(array->data() + i * sizeof(Descriptor), sizeof(Descriptor), found);
        }
        array->end();
        return found;
    }

    [[nodiscard]] std::optional<reported_segments> form4(std::uint32_t adapter) {
        using out_type = mirror::v3_2::dxgk_querysegmentout4;
        constexpr auto form = "QUERYSEGMENT4";
        mirror::v3_2::dxgk_querysegmentin4 const in{adapter};
        std::size_t const stride = m_.sizes.descriptor4 + m_.options.stride_slack;
        out_type first = unasked<out_type>();
        first.SegmentDescriptorStride = stride;
        auto const type = adapter_query::querysegment4;
        auto const count = count_of(m_.ask(type, bytes_of(in), bytes_of(first), form), first, form);
        if (!count) {
            return std::nullopt;
        }
        auto const array =
            m_.lent.lend(*count * stride, loan_side::end, m_.junk(), "the array of descriptors", vidmm_rule::seg_03);
        for (std::uint32_t i = 0; i < *count; ++i) {
            std::memset(array->data() + i * stride, 0, m_.sizes.descriptor4);
        }
        std::vector<std::byte> const before(array->data(), array->data() + array->size());
        out_type second{};
        second.NbSegment = *count;
        second.pSegmentDescriptor = reinterpret_cast<u8*>(array->data());
        second.SegmentDescriptorStride = stride;
        query_reply const reply = m_.ask(type, bytes_of(in), bytes_of(second), form);
        if (!second_call_holds<out_type>(reply, *count, form) || !gaps_are_left(*array, before, stride)) {
            return std::nullopt;
        }
        reported_segments found{{}, paging_buffer_of(reply.as<out_type>())};
        for (std::uint32_t i = 0; i < *count; ++i) {
            read<mirror::v3_2::dxgk_segmentdescriptor4>(array->data() + i * stride, m_.sizes.descriptor4, found);
        }
        array->end();
        return found;
    }

    [[nodiscard]] bool gaps_are_left(loan const& array, std::vector<std::byte> const& before, std::size_t stride) {
        bool same = true;
        for (std::size_t i = 0; i < before.size(); ++i) {
            same = same && (i % stride < m_.sizes.descriptor4 || array.data()[i] == before[i]);
        }
        return m_.check(same, vidmm_rule::seg_03,
                        "QUERYSEGMENT4: bytes between two descriptors were written, the stride is " +
                            std::to_string(stride));
    }

    [[nodiscard]] std::optional<reported_segments> form5(std::uint32_t adapter) {
        using descriptor = mirror::v3_2::dxgk_segmentdescriptor5;
        mirror::v3_2::dxgk_querysegmentcountin const count_in{static_cast<u16>(adapter), 0, 0};
        mirror::v3_2::dxgk_querysegmentcountout const none{};
        query_reply const counted =
            m_.ask(adapter_query::querysegmentcount, bytes_of(count_in), bytes_of(none), "QUERYSEGMENTCOUNT");
        if (!m_.check(counted.success(), vidmm_rule::seg_04, "QUERYSEGMENTCOUNT was refused")) {
            return std::nullopt;
        }
        std::uint32_t const count = counted.as<mirror::v3_2::dxgk_querysegmentcountout>().SegmentCount;
        if (!fits(count, "QUERYSEGMENTCOUNT")) {
            return std::nullopt;
        }
        auto const array = zeroes(count * sizeof(descriptor));
        mirror::v3_2::dxgk_querysegmentin5 const in{static_cast<u16>(adapter), 0, 0};
        mirror::v3_2::dxgk_querysegmentout5 out{};
        out.SegmentDescriptors = reinterpret_cast<descriptor*>(array->data());
        query_reply const reply = m_.ask(adapter_query::querysegment5, bytes_of(in), bytes_of(out), "QUERYSEGMENT5");
        if (!m_.check(reply.success(), vidmm_rule::seg_04, "QUERYSEGMENT5 was refused")) {
            return std::nullopt;
        }
        reported_segments found{{}, paging_buffer_info(adapter)};
        for (std::uint32_t i = 0; i < count; ++i) {
            read<descriptor>(array->data() + i * sizeof(descriptor), sizeof(descriptor), found);
        }
        array->end();
        return found;
    }

    [[nodiscard]] vidmm_paging_buffer paging_buffer_info(std::uint32_t adapter) {
        mirror::v3_2::dxgk_querypagingbufferinfoin const in{static_cast<u16>(adapter), 0};
        mirror::v3_2::dxgk_querypagingbufferinfoout const none{};
        query_reply const reply =
            m_.ask(adapter_query::querypagingbufferinfo, bytes_of(in), bytes_of(none), "QUERYPAGINGBUFFERINFO");
        auto const out = reply.as<mirror::v3_2::dxgk_querypagingbufferinfoout>();
        return reply.success() ? vidmm_paging_buffer{0, out.PagingBufferSize, out.PagingBufferPrivateDataSize, true}
                               : vidmm_paging_buffer{0, 0, 0, false};
    }

    [[nodiscard]] std::shared_ptr<loan> zeroes(std::size_t size) {
        auto array = m_.lent.lend(size, loan_side::end, m_.junk(), "the array of descriptors", vidmm_rule::seg_02);
        std::fill_n(array->data(), size, std::byte{0});
        return array;
    }

    template <class Descriptor>
    static void read(std::byte const* from, std::size_t size, reported_segments& to) {
        Descriptor d{};
        std::memset(&d, 0, sizeof d);
        std::memcpy(&d, from, std::min(size, sizeof d));
        vidmm_reported_segment s;
        s.id = static_cast<std::uint32_t>(to.segments.size() + 1);
        read_common(d, s);
        to.segments.push_back(std::move(s));
    }

    static constexpr i64 agp_base = 0xE000'0000;
    static constexpr i64 agp_size = 0x1000'0000;

    adapter_machine& m_;
};

}  // namespace wddmcore::testing::vidmm_parts
