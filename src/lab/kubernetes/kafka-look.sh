# What a broker keeps on its disk of topics whose names begin so. Runs in the broker's pod, under bash.
#
#   cluster ID                            of its meta.properties
#   folder NAME                           of a partition: `t-0`, or `t-0.<id>-delete` while it is being deleted
#   epoch FOLDER EPOCH                    the newest leader epoch that the broker knows there
#   segment FOLDER FILE
#
#   bash -c SCRIPT kafka-look LOG-DIR PREFIX
log_dir=$1 prefix=$2
{
  while IFS='=' read -r key value; do
    if [[ $key == cluster.id ]]; then echo "cluster $value"; fi
  done <"$log_dir/meta.properties"
} 2>/dev/null
[[ -n $prefix ]] || exit 0
for folder in "$log_dir/$prefix"*; do
  [[ -d $folder ]] || continue
  name=${folder##*/}
  echo "folder $name"
  # version, count of lines, then `epoch start-offset` lines
  newest=
  { while read -r epoch start; do if [[ -n $start ]]; then newest=$epoch; fi; done <"$folder/leader-epoch-checkpoint"; } 2>/dev/null
  if [[ -n $newest ]]; then echo "epoch $name $newest"; fi
  for file in "$folder"/*.log; do
    if [[ -e $file ]]; then echo "segment $name ${file##*/}"; fi
  done
done
