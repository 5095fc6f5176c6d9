// Handles of the HDF5 library that close themselves, and its errors. Empty where there is no HDF5.
#pragma once

#ifdef CAIRN_HDF5

#include <hdf5.h>

#include <string>
#include <utility>

#include "base/error.hpp"

namespace cairn::io {

class Handle {
 public:
  using Close = herr_t (*)(hid_t);
  Handle(hid_t id, Close how) : id_(id), close_(how) {}
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, H5I_INVALID_HID)), close_(other.close_) {}
  Handle& operator=(Handle&&) = delete;
  ~Handle() {
    if (id_ >= 0) close_(id_);
  }
  hid_t get() const noexcept { return id_; }
  // Closing writes what is put off, and may fail.
  herr_t close() { return close_(std::exchange(id_, H5I_INVALID_HID)); }

 private:
  hid_t id_;
  Close close_;
};

// While it lives the library does not print its errors.
class QuietHdf5 {
 public:
  QuietHdf5() {
    H5Eget_auto2(H5E_DEFAULT, &function_, &data_);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  }
  ~QuietHdf5() { H5Eset_auto2(H5E_DEFAULT, function_, data_); }
  QuietHdf5(const QuietHdf5&) = delete;
  QuietHdf5& operator=(const QuietHdf5&) = delete;

 private:
  H5E_auto2_t function_ = nullptr;
  void* data_ = nullptr;
};

// What the library says went wrong, from the innermost call.
std::string hdf5_error();

// `result` if it is not negative; otherwise an IoError.
template <class Result>
Result checked(Result result, const char* what) {
  require<IoError>(result >= 0, "HDF5 cannot {}: {}", what, hdf5_error());
  return result;
}
inline Handle checked(hid_t id, Handle::Close close, const char* what) { return {checked(id, what), close}; }

}  // namespace cairn::io

#endif
