// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// Processes, devices, opened allocations, presents and renders, as drivers of several versions see them.
#include "machine.hpp"
#include "pe_builder.hpp"

#include <wddmcore/testing/certify/image/objects/dma_builder.hpp>
#include <wddmcore/testing/certify/image/objects/opener.hpp>

#if defined(__x86_64__) && defined(__linux__)

namespace {

using namespace wddmcore;
using namespace testing::kernel_parts;
namespace parts = testing::certify_parts;
namespace layouts = parts::object_layouts;
using testing::vidmm_rule;

// What the driver was called with.
std::string calls;
std::uint32_t last_flags;
bool has_name;
void* process_of_device;
std::uintptr_t handle_given;  // by DxgkDdiCreateProcess, one more each time
std::uintptr_t handle_step;

ntstatus WDDMCORE_DRIVER_CALL create_process(void*, void* args) {
    auto& a = *static_cast<mirror::v2_5::dxgkarg_createprocess*>(args);
    last_flags = a.Flags.Value;
    has_name = a.pProcessName != nullptr && a.ProcessNameLength != 0;
    handle_given += handle_step;
    a.hKmdProcess = reinterpret_cast<void*>(handle_given);
    calls += "process ";
    return nt::success;
}
ntstatus WDDMCORE_DRIVER_CALL destroy_process(void*, void*) {
    calls += "no-process ";
    return nt::success;
}
ntstatus device_answer;
ntstatus WDDMCORE_DRIVER_CALL create_device(void*, void* args) {
    auto& a = *static_cast<mirror::v2_0::dxgkarg_createdevice*>(args);
    last_flags = a.Flags.Value;
    process_of_device = a.hKmdProcess;
    a.hDevice = reinterpret_cast<void*>(std::uintptr_t{0xDE});
    calls += "device ";
    return device_answer;
}
ntstatus WDDMCORE_DRIVER_CALL destroy_device(void*) {
    calls += "no-device ";
    return nt::success;
}

/// Registers these functions, as far as the version has them.
void registered(std::uint32_t version, std::vector<std::pair<char const*, void*>> const& functions) {
    object_services::registration r;
    for (registration_sizes const& row : registrations) {
        if (row.version == version) {
            r.sizes = row;
        }
    }
    r.functions.resize((r.sizes.initialization_data - 8) / 8);
    for (std::size_t i = 0; i < r.functions.size(); ++i) {
        for (auto const& [name, function] : functions) {
            r.functions[i] = name == std::string(registered_functions[i]) ? function : r.functions[i];
        }
    }
    object_services::objects::current().registered = r;
    calls.clear();
    handle_given = 0x1000;
    handle_step = 0x10;
    device_answer = nt::success;
    process_of_device = nullptr;
}
void with_processes(std::uint32_t version) {
    registered(version, {{"DxgkDdiCreateProcess", reinterpret_cast<void*>(&create_process)},
                         {"DxgkDdiDestroyProcess", reinterpret_cast<void*>(&destroy_process)},
                         {"DxgkDdiCreateDevice", reinterpret_cast<void*>(&create_device)},
                         {"DxgkDdiDestroyDevice", reinterpret_cast<void*>(&destroy_device)}});
}

TEST_CASE("a process comes before its device, which is told of it, and goes after it") {
    driver_image_tests::machine m;
    parts::owners all(m.kernel);
    with_processes(0x5023);
    CHECK(all.make(parts::owners::of_system, nullptr) == nt::success);
    CHECK(last_flags == 1);  // SystemDevice; SystemProcess is the same bit
    CHECK_FALSE(has_name);
    CHECK(process_of_device == all.process(parts::owners::of_system));
    CHECK(all.make(parts::owners::of_application, nullptr) == nt::success);
    CHECK(last_flags == 0);
    CHECK_FALSE(has_name);  // which WDDM 2.4 brings
    CHECK(all.make(parts::owners::of_application, nullptr) == nt::success);
    CHECK(all.process(1) != all.process(0));
    CHECK(all.destroy(nullptr) == nt::success);
    CHECK(calls == "process device process device no-device no-process no-device no-process ");
    CHECK(m.record->findings.used == 0);
}

TEST_CASE("WDDM 2.4 tells the name of an application's process; before WDDM 2.0 there are none") {
    driver_image_tests::machine m;
    parts::owners all(m.kernel);
    with_processes(0x9006);
    static_cast<void>(all.make(parts::owners::of_application, nullptr));
    CHECK(has_name);
    static_cast<void>(all.destroy(nullptr));
    with_processes(0x4002);
    CHECK(all.make(parts::owners::of_application, nullptr) == nt::success);
    CHECK(all.device(parts::owners::of_application) != nullptr);
    CHECK(all.process(parts::owners::of_application) == nullptr);
    static_cast<void>(all.destroy(nullptr));
    CHECK(calls == "device no-device ");
}

TEST_CASE("AMB-64: a process without a handle, or with that of another one, is unusual") {
    driver_image_tests::machine m;
    testing::vidmm_parts::findings_of_this_process() = &m.record->findings;
    {
        parts::owners all(m.kernel);
        with_processes(0x11007);
        handle_step = 0;
        static_cast<void>(all.make(0, nullptr));
        static_cast<void>(all.make(1, nullptr));
        CHECK(m.found(0) == "AMB-64: two processes have the same hKmdProcess");
        static_cast<void>(all.destroy(nullptr));
    }
    m.record->findings = {};
    parts::owners all(m.kernel);
    with_processes(0x11007);
    handle_given = handle_step = 0;
    static_cast<void>(all.make(0, nullptr));
    CHECK(m.found(0) == "AMB-64: DxgkDdiCreateProcess returned success and left hKmdProcess NULL");
    static_cast<void>(all.destroy(nullptr));
    CHECK(calls == "process device no-device ");  // by what should it be destroyed?
    testing::vidmm_parts::findings_of_this_process() = nullptr;
}

TEST_CASE("REFUSED: a device that is refused leaves no process behind") {
    driver_image_tests::machine m;
    parts::owners all(m.kernel);
    with_processes(0x11007);
    device_answer = static_cast<ntstatus>(0xC0000017);
    CHECK(all.make(1, nullptr) == device_answer);
    CHECK(all.count() == 0);
    CHECK(calls == "process device no-process ");
    CHECK(m.found(0) == "REFUSED: DxgkDdiCreateDevice returned 0xc0000017");
}

// Opened allocations.

std::size_t opened_bytes;  // of private data, of the last one
ntstatus open_answer;
ntstatus WDDMCORE_DRIVER_CALL open_allocations(void*, void const* args) {
    auto const& a = *static_cast<layouts::open_allocation const*>(args);
    last_flags = a.flags;
    for (std::uint32_t i = 0; i < a.count; ++i) {
        dxgk_services::handle_data_arguments const asked{a.list[i].allocation, 1, 0};
        a.list[i].device_specific = dxgk_services::get_handle_data(&asked);
        opened_bytes = a.list[i].private_data_size;
    }
    return open_answer;
}
void* closed[4];
ntstatus WDDMCORE_DRIVER_CALL close_allocations(void*, void const* args) {
    auto const& a = *static_cast<layouts::close_allocation const*>(args);
    std::copy_n(a.list, a.count, closed);
    return nt::success;
}

TEST_CASE("OBJ-01: what the driver has behind a handle is there while it is open, and not when opening failed") {
    driver_image_tests::machine m;
    registered(0x11007, {{"DxgkDdiOpenAllocation", reinterpret_cast<void*>(&open_allocations)},
                         {"DxgkDdiCloseAllocation", reinterpret_cast<void*>(&close_allocations)}});
    auto const built = image_builder::image();
    auto const file = built.read();
    parts::image_driver driver(m.kernel, {&file, nullptr});
    testing::vidmm_report report;
    parts::opener opener(driver, report);
    REQUIRE(opener.is_possible());
    int first = 0;
    int second = 0;
    std::vector<testing::vidmm_reported_allocation> both(2);
    both[0].handle = &first;
    both[1].handle = &second;
    both[1].private_data.resize(12);
    open_answer = nt::success;
    ntstatus status = 0;
    auto const opened = opener.open(1, both, true, status);
    REQUIRE(opened.has_value());
    CHECK(last_flags == layouts::open_creates);
    CHECK(opened_bytes == 12);
    CHECK(opened->handles == std::vector<void*>{&first, &second});
    auto const& table = dxgk_services::handle_table::current();
    CHECK(table.all.at(opened->shared[1]).device_data == &second);
    opener.close(*opened);
    CHECK(closed[1] == &second);
    CHECK(table.all.empty());
    open_answer = static_cast<ntstatus>(0xC0000017);
    CHECK_FALSE(opener.open(2, both, false, status).has_value());
    CHECK(last_flags == 0);
    CHECK(status == open_answer);
    CHECK(table.all.empty());
    CHECK(report.passed());
    CHECK(opener.opened() == 1);
    object_services::objects::current().registered.reset();
}

// Presents.

std::uint32_t seen_progress[3];
std::uint32_t presents;
ntstatus present_answers[3];
std::uint32_t bytes_written;
ntstatus WDDMCORE_DRIVER_CALL present(void*, void* args) {
    auto& a = *static_cast<layouts::present*>(args);
    seen_progress[presents] = a.multipass_offset;
    std::memset(a.dma_buffer, 0, bytes_written);
    a.dma_buffer += bytes_written;
    a.patches[0] = {};
    a.patches[0].AllocationIndex = layouts::source_index;
    ++a.patches;
    ++a.multipass_offset;
    return present_answers[presents++];
}

ntstatus patch_answer = nt::success;
std::uint32_t patched_at = ~0U;  // where it stores, beside the place that the list names
std::vector<std::uint64_t> addresses;
std::uint32_t patched_presents;  // calls that said so
ntstatus WDDMCORE_DRIVER_CALL patch(void*, void const* args) {
    auto const& a = *static_cast<mirror::vista::dxgkarg_patch const*>(args);
    auto const& place = a.pPatchLocationList[0];
    auto const address = static_cast<std::uint32_t>(a.pAllocationList[place.AllocationIndex].PhysicalAddress.QuadPart);
    addresses.push_back(address);
    patched_presents += a.Flags.Present;
    auto* const buffer = static_cast<std::byte*>(a.pDmaBuffer);
    std::memcpy(buffer + (patched_at == ~0U ? place.PatchOffset : patched_at), &address, sizeof address);
    return patch_answer;
}

[[nodiscard]] testing::vidmm_report presented(std::uint32_t bytes, std::uint32_t patches, bool& done,
                                              unsigned times = 1) {
    driver_image_tests::machine m;
    registered(0x4002, {{"DxgkDdiPresent", reinterpret_cast<void*>(&present)},
                        {"DxgkDdiPatch", reinterpret_cast<void*>(&patch)}});
    addresses.clear();
    patched_presents = 0;
    auto const built = image_builder::image();
    auto const file = built.read();
    parts::image_driver driver(m.kernel, {&file, nullptr});
    testing::vidmm_report report;
    std::uint32_t fence = 100;
    parts::dma_builder presenter(driver, report, fence);
    parts::asked_commands asked;
    asked.sizes.DmaBufferSize = 100;
    asked.sizes.PatchLocationListSize = patches;
    int source = 0;
    asked.allocations[layouts::source_index].hDeviceSpecificAllocation = &source;
    asked.parts = {{0, 0, 1, 1}};
    presents = 0;
    bytes_written = bytes;
    for (unsigned i = 0; i < times; ++i) {
        done = presenter.play(asked, {1, 0x1000, 0x2000}, false);
    }
    object_services::objects::current().registered.reset();
    return report;
}

TEST_CASE("SPL-19: a present goes on with fresh buffers until it is done") {
    constexpr auto more = static_cast<ntstatus>(0xC01E0001);
    std::copy_n(std::array{more, more, nt::success}.begin(), 3, present_answers);
    bool done = false;
    CHECK(presented(100, 1, done).passed());
    CHECK(done);
    CHECK(presents == 3);
    CHECK(seen_progress[2] == 2);
}

TEST_CASE("SPL-20, SPL-09 and SPL-22: what a present leaves is judged") {
    std::fill_n(present_answers, 3, nt::success);
    bool done = false;
    CHECK(presented(104, 1, done).first_rule() == "SPL-20");
    CHECK_FALSE(done);
    CHECK(presented(0, 1, done).first_rule() == "SPL-09");  // there is no place for the address
    std::fill_n(present_answers, 3, static_cast<ntstatus>(0xC0000008));
    CHECK(presented(8, 1, done).passed());  // of the page's statuses
    CHECK_FALSE(done);
    std::fill_n(present_answers, 3, static_cast<ntstatus>(0xC000000D));
    CHECK(presented(8, 1, done).passed());  // nobody says that these are surfaces
    std::copy_n(std::array{nt::success, static_cast<ntstatus>(0xC000000D)}.begin(), 2, present_answers);
    CHECK(presented(8, 1, done, 2).first_rule() == "SPL-22");
}

TEST_CASE("SPL-07, SPL-15: a pass is patched for where its allocations are, inside what was written") {
    std::fill_n(present_answers, 3, nt::success);
    bool done = false;
    CHECK(presented(8, 1, done).passed());
    // Where it is, somewhere else, and where it is again (PRE-20).
    REQUIRE(addresses.size() == 3);
    CHECK(addresses[0] == 0x1000);
    CHECK(addresses[1] == 0x2000);  // where the destination is
    CHECK(addresses[2] == 0x1000);
    CHECK(patched_presents == 3);
    patched_at = 8;
    CHECK(presented(8, 1, done).first_rule() == "SPL-07");
    patched_at = ~0U;
    patch_answer = static_cast<ntstatus>(0xC000000D);
    CHECK(presented(8, 1, done).first_rule() == "SPL-15");
    patch_answer = nt::success;
}

// Renders.

std::uint32_t read_of_commands;
std::uint32_t read_of_patches;
ntstatus render_answer = nt::success;
bool reads_patches = true;
ntstatus WDDMCORE_DRIVER_CALL render(void*, void* args) {
    auto& a = *static_cast<layouts::render*>(args);
    // As a driver does that has exception protection.
    if (user_space::fault_of(a.command, a.command_length) ||
        (reads_patches && user_space::fault_of(a.patches_in, a.patches_in_size * sizeof *a.patches_in))) {
        return render_answer;
    }
    read_of_commands = a.command_length == 4 ? static_cast<std::uint32_t>(a.command[3]) : 0;
    read_of_patches = reads_patches && a.patches_in_size == 1 ? a.patches_in->AllocationOffset : 0;
    std::memset(a.dma_buffer, 0, 8);
    a.dma_buffer += 8;
    a.patches[0] = {};
    a.patches[0].AllocationIndex = layouts::destination_index;
    a.patches[0].PatchOffset = 4;
    ++a.patches;
    return a.allocations_size == layouts::list_entries ? nt::success : nt::invalid_parameter;
}

[[nodiscard]] testing::vidmm_report rendered(parts::given_back gone, bool& done) {
    driver_image_tests::machine m;
    registered(0x4002, {{"DxgkDdiRender", reinterpret_cast<void*>(&render)},
                        {"DxgkDdiPatch", reinterpret_cast<void*>(&patch)}});
    addresses.clear();
    patched_presents = 0;
    auto const built = image_builder::image();
    auto const file = built.read();
    parts::image_driver driver(m.kernel, {&file, nullptr});
    testing::vidmm_report report;
    std::uint32_t fence = 100;
    parts::dma_builder renders(driver, report, fence);
    parts::asked_commands asked;
    asked.sizes.DmaBufferSize = 100;
    asked.sizes.PatchLocationListSize = 2;
    layouts::patch_location place{};
    place.AllocationOffset = 77;
    asked.rendered = parts::user_commands{{std::byte{1}, std::byte{2}, std::byte{3}, std::byte{4}}, {place}};
    asked.gone = gone;
    if (gone == parts::given_back::nothing) {
        done = renders.play(asked, {1, 0x1000, 0x2000}, false);
    } else {
        renders.play_without_memory(asked);
    }
    object_services::objects::current().registered.reset();
    return report;
}

TEST_CASE("SPL-19, SPL-20: a render gets what the user-mode driver sends, and its list of three allocations") {
    bool done = false;
    CHECK(rendered(parts::given_back::nothing, done).passed());
    CHECK(done);
    CHECK(read_of_commands == 4);
    CHECK(read_of_patches == 77);
    // For its destination, which is moved and moved back; no present.
    CHECK(addresses == std::vector<std::uint64_t>{0x2000, 0x1000, 0x2000});
    CHECK(patched_presents == 0);
}

TEST_CASE("SPL-17: a render of memory that the process has given back fails") {
    bool done = false;
    render_answer = static_cast<ntstatus>(0xC00000E8);
    CHECK(rendered(parts::given_back::commands, done).passed());
    CHECK(rendered(parts::given_back::patches, done).passed());
    render_answer = nt::success;
    CHECK(rendered(parts::given_back::commands, done).first_rule() == "SPL-17");
    // Not every driver needs the list that comes with the commands.
    reads_patches = false;
    CHECK(rendered(parts::given_back::patches, done).passed());
    reads_patches = true;
}

TEST_CASE("SPL-22: what a render returns is a status of its page") {
    bool done = false;
    for (auto const& [status, good] :
         {std::pair(0xC000'000DU, true), std::pair(0xC01E'0009U, true), std::pair(0xC000'0008U, true),
          std::pair(0xC01E'0008U, false), std::pair(0xC000'0001U, false)}) {
        driver_image_tests::machine m;
        static ntstatus answer;
        answer = static_cast<ntstatus>(status);
        registered(0x4002,
                   {{"DxgkDdiRender",
                     reinterpret_cast<void*>(+[](void*, void*) WDDMCORE_DRIVER_CALL -> ntstatus { return answer; })}});
        auto const built = image_builder::image();
        auto const file = built.read();
        parts::image_driver driver(m.kernel, {&file, nullptr});
        testing::vidmm_report report;
        std::uint32_t fence = 100;
        parts::dma_builder renders(driver, report, fence);
        parts::asked_commands asked;
        asked.sizes.DmaBufferSize = 100;
        asked.rendered = parts::user_commands{{std::byte{1}}, {}};
        done = renders.play(asked, {}, false);
        CHECK_FALSE(done);
        CHECK(report.passed() == good);
        CHECK(renders.refusal() == answer);
        object_services::objects::current().registered.reset();
    }
}

TEST_CASE("SPL-17: INSUFFICIENT_DMA_BUFFER is no answer to memory that is gone") {
    bool done = false;
    render_answer = static_cast<ntstatus>(0xC01E0001);
    CHECK(rendered(parts::given_back::commands, done).first_rule() == "SPL-17");
    render_answer = nt::success;
}

TEST_CASE("SPL-17: only what the driver has met counts") {
    bool done = false;
    render_answer = static_cast<ntstatus>(0xC00000E8);
    // Neither is longer than a page.
    testing::vidmm_report const nothing = rendered(parts::given_back::behind_first_pages, done);
    CHECK(nothing.passed());
    CHECK(nothing.times_exercised(vidmm_rule::spl_17) == 0);
    CHECK(rendered(parts::given_back::patches, done).times_exercised(vidmm_rule::spl_17) == 1);
    render_answer = nt::success;
    reads_patches = false;
    CHECK(rendered(parts::given_back::patches, done).times_exercised(vidmm_rule::spl_17) == 0);
    reads_patches = true;
}

[[nodiscard]] bool faults(void const* at, std::size_t bytes) { return user_space::fault_of(at, bytes).has_value(); }

TEST_CASE("SPL-17: memory of a process is there until it is given back, and never what follows it") {
    driver_image_tests::machine const m;
    std::array<std::byte, 5008> content{};
    content[5007] = std::byte{9};
    std::byte const* begin = nullptr;
    {
        user_space::user_memory memory(content);
        begin = memory.data();
        CHECK(begin[5007] == std::byte{9});
        CHECK_FALSE(faults(begin, 5008));
        CHECK_FALSE(faults(begin + 5008, 0));
        CHECK(faults(begin, 5009));
        CHECK(faults(begin, ~std::size_t{0} - 15));
        auto const behind = user_space::fault_of(begin + 5008, 1);
        REQUIRE(behind.has_value());
        CHECK_FALSE(behind->is_given_back);
        std::array<std::byte, 8> to{};
        CHECK(copies::copy(to.data(), begin + 5000, 8) == to.data());
        CHECK(to[7] == std::byte{9});
        CHECK(copies::move(to.data(), to.data() + 1, 7) == to.data());
        CHECK(to[6] == std::byte{9});
        CHECK(copies::compare(to.data(), begin + 5001, 7) == 0);
        CHECK(copies::equal_bytes(to.data(), begin + 5002, 6) == 5);
        REQUIRE(memory.give_back(true));
        std::uintptr_t const gone = (reinterpret_cast<std::uintptr_t>(begin) / 4096 + 1) * 4096;
        CHECK_FALSE(faults(begin, 1));
        auto const found = user_space::fault_of(begin, 5008);
        REQUIRE(found.has_value());
        CHECK(found->address == gone);
        CHECK(found->is_given_back);
        REQUIRE(memory.give_back(false));
        CHECK(faults(begin, 1));
        CHECK(faults(begin + 5007, 1));
        CHECK_FALSE(faults(begin, 0));
        CHECK_FALSE(faults(to.data(), 8));
        // Where a function would fault it goes on at the instruction that stands for the exception.
        auto* const trap = reinterpret_cast<void*>(&exceptions::user_access_trap);
        auto* const there = const_cast<std::byte*>(begin);
        CHECK(copies::copy_target(to.data(), begin, 1) == trap);
        CHECK_FALSE(exceptions::user_access::current().writes);
        CHECK(copies::move_target(there, to.data(), 1) == trap);
        CHECK(exceptions::user_access::current().writes);
        CHECK(exceptions::user_access::current().address == reinterpret_cast<std::uintptr_t>(begin));
        CHECK(copies::compare_target(to.data(), begin, 1) == trap);
        CHECK(copies::equal_bytes_target(begin, to.data(), 1) == trap);
        CHECK(copies::fill_target(there, 0, 1) == trap);
        CHECK(copies::zero_target(there, 1) == trap);
        CHECK(copies::copy_target(to.data(), to.data(), 1) != trap);
        CHECK(copies::fill(to.data(), 7, 2) == to.data());
        copies::zero(to.data(), 1);
        CHECK(to[0] == std::byte{0});
        CHECK(to[1] == std::byte{7});
        memory_services::mdl pages{};
        pages.start = reinterpret_cast<void*>(reinterpret_cast<std::uintptr_t>(begin) / 4096 * 4096);
        pages.offset = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(begin) % 4096);
        pages.bytes = 100;
        CHECK(memory_services::lock_target(&pages, 0, 0) == trap);
    }
    CHECK_FALSE(faults(begin, 1));
}

TEST_CASE("SPL-17: memory of a process begins at a page where it cannot end at one") {
    std::array<std::byte, 12> const content{};
    user_space::user_memory const memory(content);
    CHECK(reinterpret_cast<std::uintptr_t>(memory.data()) % 4096 == 0);
    CHECK(faults(memory.data(), 13));
    user_space::user_memory const nothing(std::span<std::byte const>{});
    CHECK_FALSE(faults(nothing.data(), 0));
    CHECK(faults(nothing.data(), 1));
}

}  // namespace

#endif
