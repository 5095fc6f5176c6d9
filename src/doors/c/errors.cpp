#include "doors/c/errors.hpp"

#include <new>
#include <string>

#include "api/context_state.hpp"
#include "comm/agreement.hpp"
#include "doors/c/handles.hpp"

namespace cairn::c_door {
namespace {

thread_local std::string last_text;

cairn_status remember(int kind, const char* text) noexcept {
  try {
    last_text = text;
  } catch (...) {
    last_text.clear();  // no memory even for the text
  }
  return kind;
}

}  // namespace

cairn_status remember_error() noexcept {
  try {
    throw;
  } catch (const Error& e) {
    return remember(static_cast<int>(e.kind()), e.what());
  } catch (const std::bad_alloc&) {
    return remember(CAIRN_ERROR_MEMORY, "out of memory");
  } catch (const std::exception& e) {
    return remember(CAIRN_ERROR_INTERNAL, e.what());
  } catch (...) {
    return remember(CAIRN_ERROR_INTERNAL, "an exception of unknown type");
  }
}

void share_error(const char* operation, std::initializer_list<const void*> handles, const LocalError& error) {
  for (const void* handle : handles)
    if (const std::optional<Context> context = context_behind(handle))
      comm::agree(context->state().comm(), operation, [&] { throw LocalError(error); });
  throw LocalError(fmt::format("{}: {}", operation, error.what()));
}

}  // namespace cairn::c_door

extern "C" {

const char* cairn_last_error(void) { return cairn::c_door::last_text.c_str(); }

const char* cairn_status_name(cairn_status status) {
  switch (status) {
    case CAIRN_SUCCESS:
      return "success";
    case CAIRN_ERROR_ARGUMENT:
      return "wrong argument";
    case CAIRN_ERROR_OVERFLOW:
      return "size too large";
    case CAIRN_ERROR_MEMORY:
      return "out of memory";
    case CAIRN_ERROR_COMM:
      return "MPI failed";
    case CAIRN_ERROR_TIMEOUT:
      return "no progress";
    case CAIRN_ERROR_IO:
      return "file cannot be read or written";
    case CAIRN_ERROR_RESULT:
      return "result not right";
    case CAIRN_ERROR_INTERNAL:
      return "defect of Cairn";
    default:
      return "unknown status";
  }
}

const char* cairn_version(void) { return CAIRN_VERSION; }
int cairn_version_number(void) { return CAIRN_VERSION_NUMBER; }
}
