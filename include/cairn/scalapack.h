/* libcairn_scalapack: programs that call ScaLAPACK get Cairn by linking it before ScaLAPACK, or by LD_PRELOAD. Nothing
   of this header is needed for that; it is for programs that look at what happens, and for tests. */
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

/* "auto", "on", "off" or "report", as CAIRN_SCALAPACK in the environment; from then on, on the process that calls it:
   call it on all. Returns 0, or 1 for another word. */
int cairn_scalapack_set_mode(const char* mode);
const char* cairn_scalapack_mode(void);

/* Calls of this process that Cairn has answered, and that it has passed on to ScaLAPACK (not counted with "off"). */
void cairn_scalapack_counts(long long* ours, long long* passed_on);

#ifdef __cplusplus
}
#endif
