# Which block device holds a path, and what the node's disks say of themselves. Runs in a pod, under bash; needs only
# what busybox has. Prints facts, judges nothing:
#
#   mount MAJOR:MINOR FSTYPE SOURCE       the mount that holds the path, by its longest mount point
#   link FOLDER                           where the kernel keeps that device below /sys/devices
#   partition NAME                        the device is this partition …
#   disk NAME                             … of this disk (or the disk itself)
#   under NAME                            the disk is mapped (LVM, dm-crypt) and lies on this one
#   serial DISK TEXT                      of every disk that has one
#   counter DISK BEFORE AFTER             sectors written, before and after BYTES were written here and synced
#   wrote BYTES
#   problem TEXT
#
# With BYTES = 0 nothing is written.
#
#   bash -c SCRIPT device-look PATH BYTES [SYS] [MOUNTINFO]
path=$1 bytes=$2 sys=${3-/sys} mountinfo=${4-/proc/self/mountinfo}

find_mount() {
  local id parent number root point rest best=-1
  while read -r id parent number root point rest; do
    # the kernel writes spaces and the like as \040
    printf -v point %b "${point//\\/\\0}"
    if [[ $point == / || $path == "$point" || $path == "$point"/* ]] && ((${#point} >= best)); then
      best=${#point} m_number=$number m_rest=${rest#* - }
    fi
  done <"$mountinfo"
}

written() {
  local -a a=()
  { read -ra a <"$1/stat"; } 2>/dev/null
  printf '%s' "${a[6]-}"
}

find_mount
if [[ -z ${m_number-} ]]; then echo "problem no mount holds $path"; exit 0; fi
set -- $m_rest
echo "mount $m_number $1 $2"

folder=$(readlink -f "$sys/dev/block/$m_number")
if [[ -z $folder || ! -d $folder ]]; then
  echo "problem the kernel knows no block device $m_number"
  folder=
else
  echo "link $folder"
  if [[ -e $folder/partition ]]; then echo "partition ${folder##*/}"; folder=${folder%/*}; fi
  echo "disk ${folder##*/}"
  for one in "$folder"/slaves/*; do
    [[ -e $one ]] || continue
    one=$(readlink -f "$one")
    if [[ -e $one/partition ]]; then one=${one%/*}; fi
    echo "under ${one##*/}"
  done
fi

before=()
names=()
for one in "$sys"/block/*; do
  [[ -e $one ]] || continue
  names+=("${one##*/}")
  before+=("$(written "$one")")
  for file in "$one/device/serial" "$one/serial"; do
    if { read -r serial <"$file"; } 2>/dev/null && [[ -n $serial ]]; then echo "serial ${one##*/} $serial"; break; fi
  done
done

if [[ -n $folder ]] && ((bytes > 0)); then
  probe=$path/.assay-device-check.$$
  if error=$(dd if=/dev/zero of="$probe" bs=65536 count=$((bytes / 65536)) conv=fsync 2>&1); then
    echo "wrote $((bytes / 65536 * 65536))"
  else
    echo "problem nothing could be written to $path: ${error##*$'\n'}"
  fi
  rm -f "$probe"
fi
for i in "${!names[@]}"; do
  after=$(written "$sys/block/${names[i]}")
  if [[ -n ${before[i]} && -n $after ]]; then echo "counter ${names[i]} ${before[i]} $after"; fi
done
