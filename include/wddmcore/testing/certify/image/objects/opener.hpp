// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../driver.hpp"
#include "layouts.hpp"

#if defined(__x86_64__) && defined(__linux__)
#    include <optional>
#    include <span>

namespace wddmcore::inline WDDMCORE_ABI::testing::certify_parts {

/// Allocations that are open in a device, by the driver's handles.
struct opened_in_device {
    std::uint32_t process = 0;          ///< whose device it is
    std::vector<std::uint32_t> shared;  ///< D3DKMT_HANDLE of each
    std::vector<void*> handles;         ///< hDeviceSpecificAllocation of each
};

/// Opens allocations in devices and closes them: DxgkDdiOpenAllocation and DxgkDdiCloseAllocation.
class opener {
public:
    opener(image_driver& driver, vidmm_report& report) : driver_(driver), report_(report) {}
    opener(opener const&) = delete;
    opener& operator=(opener const&) = delete;

    [[nodiscard]] bool is_possible() const {
        return driver_.has("DxgkDdiOpenAllocation") && driver_.has("DxgkDdiCloseAllocation");
    }

    /// Opens allocations, all in one call.
    /// @param process  in whose device
    /// @param creates  for the device that created them; the driver may then change their private data
    /// @param status   [out] of the call
    /// @return nothing: the driver refuses
    [[nodiscard]] std::optional<opened_in_device> open(std::uint32_t process, std::span<vidmm_reported_allocation> what,
                                                       bool creates, ntstatus& status) {
        using layout = object_layouts::opened_allocation;
        auto const f = driver_.function<ntstatus(WDDMCORE_DRIVER_CALL*)(void*, void const*)>("DxgkDdiOpenAllocation");
        auto& table = kp::dxgk_services::handle_table::current();
        opened_in_device out;
        out.process = process;
        std::vector<std::shared_ptr<vidmm_parts::loan>> data;
        auto const array = lend(nullptr, what.size() * sizeof(layout), "DXGK_OPENALLOCATIONINFO");
        auto* const list = reinterpret_cast<layout*>(array->data());
        for (std::size_t i = 0; i < what.size(); ++i) {
            auto const& bytes = what[i].private_data;
            data.push_back(lend(bytes.data(), bytes.size(), "the private data of an opened allocation"));
            out.shared.push_back(table.give({handle_of_allocation, 0, what[i].handle, nullptr}));
            list[i] = {out.shared.back(), bytes.empty() ? nullptr : data.back()->data(),
                       static_cast<std::uint32_t>(bytes.size()), nullptr};
        }
        object_layouts::open_allocation args{};
        args.count = static_cast<std::uint32_t>(what.size());
        args.list = list;
        args.flags = creates ? object_layouts::open_creates : 0;
        auto const memory = lend(&args, sizeof args, "DXGKARG_OPENALLOCATION");
        void* const device = driver_.processes().device(process);
        status = driver_.kernel().call("DxgkDdiOpenAllocation", kp::passive_level,
                                       [&] { return f(device, memory->data()); });
        for (std::size_t i = 0; i < what.size(); ++i) {
            out.handles.push_back(list[i].device_specific);
            std::vector<std::byte> left(data[i]->data(), data[i]->data() + data[i]->size());
            judge_private_data(what[i].private_data, left, creates);
            what[i].private_data = std::move(left);
        }
        data.push_back(array);
        data.push_back(memory);
        end(data, out.handles.size());
        if (status < 0) {
            forget(out);
            return std::nullopt;
        }
        ++opened_;
        judge_handles(out);
        return out;
    }

    /// Closes them, all in one call. One without a handle (OBJ-01) was told, and cannot be named.
    void close(opened_in_device const& what) {
        auto const f = driver_.function<ntstatus(WDDMCORE_DRIVER_CALL*)(void*, void const*)>("DxgkDdiCloseAllocation");
        std::vector<void*> handles = what.handles;
        std::erase(handles, nullptr);
        auto const list = lend(handles.data(), handles.size() * sizeof(void*), "pOpenHandleList");
        object_layouts::close_allocation const args{static_cast<std::uint32_t>(handles.size()),
                                                    reinterpret_cast<void* const*>(list->data())};
        auto const memory = lend(&args, sizeof args, "DXGKARG_CLOSEALLOCATION");
        void* const device = driver_.processes().device(what.process);
        ntstatus const status = driver_.kernel().call("DxgkDdiCloseAllocation", kp::passive_level,
                                                      [&] { return f(device, memory->data()); });
        end({list, memory}, what.handles.size());
        forget(what);
        if (status < 0) {
            driver_.kernel().find(crash_id::refused, "DxgkDdiCloseAllocation returned " + image_driver::hex(status));
        }
    }

    /// How many calls have opened something.
    [[nodiscard]] std::uint64_t opened() const { return opened_; }

private:
    using rule = vidmm_rule;
    static constexpr std::uint32_t handle_of_allocation = 1;  // DXGK_HANDLE_ALLOCATION
    static constexpr std::uint64_t junk = 0x09E7;

    [[nodiscard]] std::shared_ptr<vidmm_parts::loan> lend(void const* content, std::size_t bytes, char const* what) {
        auto memory = lender_.lend(bytes, vidmm_parts::loan_side::end, junk, what, rule::obj_03, rule::obj_03);
        if (content != nullptr && bytes != 0) {
            std::memcpy(memory->data(), content, bytes);
        }
        return memory;
    }
    void end(std::vector<std::shared_ptr<vidmm_parts::loan>> const& loans, std::size_t allocations) {
        for (auto const& each : loans) {
            each->end();
        }
        report_.exercised(rule::obj_03, allocations);
    }
    static void forget(opened_in_device const& what) {
        for (std::uint32_t const each : what.shared) {
            kp::dxgk_services::handle_table::current().all.erase(each);
        }
    }
    void judge_private_data(std::vector<std::byte> const& sent, std::vector<std::byte> const& left, bool creates) {
        if (creates || sent.empty()) {
            return;
        }
        report_.exercised(rule::obj_02);
        if (sent != left) {
            auto const at = std::mismatch(sent.begin(), sent.end(), left.begin()).first - sent.begin();
            report_.broken(rule::obj_02, "DxgkDdiOpenAllocation changed private data, and Create was not set",
                           "byte " + std::to_string(at) + " of " + std::to_string(sent.size()));
        }
    }
    void judge_handles(opened_in_device const& what) {
        for (std::size_t i = 0; i < what.handles.size(); ++i) {
            report_.exercised(rule::obj_01);
            kp::dxgk_services::handle_table::current().all[what.shared[i]].device_data = what.handles[i];
            if (what.handles[i] == nullptr) {
                report_.broken(rule::obj_01,
                               "DxgkDdiOpenAllocation returned success and left hDeviceSpecificAllocation NULL",
                               "allocation " + std::to_string(i) + " of " + std::to_string(what.handles.size()));
            }
        }
    }

    image_driver& driver_;
    vidmm_report& report_;
    vidmm_parts::lender lender_;
    std::uint64_t opened_ = 0;
};

}  // namespace wddmcore::testing::certify_parts

#endif
