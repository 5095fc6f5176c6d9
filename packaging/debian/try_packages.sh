#!/usr/bin/env bash
# Makes the Debian packages of a build, installs them on a clean Debian 12, and uses each of them there.
# usage: try_packages.sh BUILD_TREE [ROOT]    (root and debootstrap needed; ROOT is kept, a temporary one is removed)
# Ends with 77 where it cannot be tried.
set -euo pipefail
build=$(realpath "${1:?usage: try_packages.sh BUILD_TREE [ROOT]}")
source=$(realpath "$(dirname "${BASH_SOURCE[0]}")/../..")
skip() { echo "cannot be tried: $*"; exit 77; }
[ "$(id -u)" = 0 ] || skip "not root"
command -v debootstrap >/dev/null || skip "no debootstrap"

packages=$(mktemp -d)
root=${2:-}
[ -n "$root" ] || { root=$(mktemp -d); made=yes; }
clean_up() {
  umount "$root/proc" 2>/dev/null || true
  rm -rf "$packages"
  [ -z "${made:-}" ] || rm -rf "$root"
}
trap clean_up EXIT

cpack --config "$build/CPackConfig.cmake" -G DEB -B "$packages" >"$packages/cpack.log" || { cat "$packages/cpack.log"; exit 1; }
debs=("$packages"/*.deb)
for deb in "${debs[@]}"; do echo "$(basename "$deb"): $(dpkg-deb -f "$deb" Depends)"; done
[ ${#debs[@]} -eq 4 ] || { echo "expected 4 packages, got ${#debs[@]}"; exit 1; }

# Where this machine gets Debian's packages from.
mirror=$(grep -rhoE '(https?|file)://[^ ]+/debian/?( |$)' /etc/apt/sources.list /etc/apt/sources.list.d 2>/dev/null | head -n 1 || true)
[ -d "$root/usr" ] || debootstrap --variant=minbase bookworm "$root" ${mirror:+"$mirror"} >"$packages/root.log" 2>&1 ||
  { tail -n 5 "$packages/root.log"; skip "debootstrap failed"; }
cp -r /etc/apt/apt.conf.d/. "$root/etc/apt/apt.conf.d/" 2>/dev/null || true
cp -L /etc/resolv.conf "$root/etc/resolv.conf" 2>/dev/null || true
mount -t proc proc "$root/proc"
inside() { chroot "$root" /usr/bin/env DEBIAN_FRONTEND=noninteractive OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 \
  OMPI_MCA_rmaps_base_oversubscribe=1 OPENBLAS_NUM_THREADS=1 "$@"; }
mkdir -p "$root/packages" && cp "${debs[@]}" "$root/packages/"
inside apt-get update >/dev/null
inside bash -c 'apt-get install -y --no-install-recommends gcc gfortran libc6-dev pkg-config /packages/*.deb' >"$packages/apt.log" 2>&1 ||
  { tail -n 20 "$packages/apt.log"; exit 1; }

echo "--- the program"
inside cairn multiply -N 200 --ranks 2 | tail -n 1
inside test -f /usr/share/man/man1/cairn-plan-multiply.1
echo "--- a C program, by pkg-config"
cp "$source/examples/from_c.c" "$source/examples/from_fortran.f90" "$root/tmp/"
inside bash -c 'cd /tmp && cc -std=c99 from_c.c $(pkg-config --cflags --libs cairn) -lm -o from_c && mpirun -n 2 ./from_c | head -n 1'
echo "--- a Fortran program"
inside bash -c 'cd /tmp && mpifort from_fortran.f90 $(pkg-config --cflags --libs cairn-fortran) -o from_fortran && mpirun -n 2 ./from_fortran | head -n 1'
echo "--- Python"
inside mpirun -n 2 python3 -c 'import cairn, numpy; from mpi4py import MPI
mine = numpy.full((2, 4), 1.0)
assert (cairn.matmul(mine, mine) == 4).all()
if MPI.COMM_WORLD.rank == 0: print("cairn", cairn.__version__)'
echo "--- and away again"
inside apt-get purge -y libcairn1 libcairn-dev cairn-tools python3-cairn >/dev/null 2>&1
[ -z "$(find "$root/usr" -name '*cairn*' -not -path '*/tmp/*')" ] || { find "$root/usr" -name '*cairn*'; exit 1; }
echo ok
