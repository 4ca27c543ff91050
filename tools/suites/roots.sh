# Other systems of Debian, each in a directory that is made once and entered by chroot. Source it after suites.sh.
# shellcheck shell=bash

# root_path NAME: where a root is kept.
root_path() { printf '%s' "${XDG_CACHE_HOME:-$HOME/.cache}/hushbit/$1"; }

as_root() { if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo -n "$@"; fi; }

require_root_rights() { as_root unshare --mount true || unavailable "root, to mount and chroot"; }

# make_root RELEASE DIRECTORY PACKAGE,...: the packages, what they depend on, and apt.
make_root() {
  have mmdebstrap || install_system_packages mmdebstrap || return 1
  mkdir -p "$(dirname "$2")"
  as_root rm -rf --one-file-system "$2.partial"
  as_root unshare --mount --propagation private mmdebstrap --quiet --variant=apt "--include=$3" \
    --aptopt='APT::Install-Recommends "false"' "$1" "$2.partial" &&
    as_root rm -rf --one-file-system "$2" &&
    as_root mv "$2.partial" "$2"
}

# in_root ROOT SCRATCH COMMAND...: in the repository, which is read-only there, as /source; what it writes goes to
# /scratch, which is the directory SCRATCH.
in_root() {
  # shellcheck disable=SC2016  # the inner shell expands these
  as_root unshare --mount --propagation private bash -ec '
    root=$1 source=$2 scratch=$3
    shift 3
    mkdir -p "$root/source" "$root/scratch"
    mount --bind "$source" "$root/source"
    mount -o remount,bind,ro "$root/source"
    mount --bind "$scratch" "$root/scratch"
    mount -t proc proc "$root/proc"
    mount --rbind /dev "$root/dev"
    mount -o remount,bind,ro "$root/dev"  # devices work, and stay: compilers replace what they are told to write
    exec chroot "$root" env -i PATH=/usr/bin:/bin HOME=/scratch/home LANG=C.UTF-8 \
      bash -ec "cd /source; exec \"\$@\"" bash "$@"
  ' bash "$1" "$PWD" "$PWD/$2" "${@:3}"
}
