# Settings that every script of the recipe shares; source it.
HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
CACHE=${XDG_CACHE_HOME:-$HOME/.cache}/assay-cluster      # what is built once: binaries and images
LAB=${ASSAY_CLUSTER_RUN:-}                               # folder of one cluster; with-cluster.sh makes it
KUBERNETES=1.36.3 KAFKA=4.3.1
NODE=lab-node-1 NODE_IP=10.199.0.1 CLIENT_API=10.199.0.2        # addresses of the bridge k8slab0; clients reach the API at the second
POD_RANGE=10.244.0.0/16 POD_CIDR=10.244.0.0/24 POD_GATEWAY=10.244.0.1
SERVICE_RANGE=10.96.0.0/16 SERVICE_API=10.96.0.1
API_PORT=16443 ETCD_PORT=12379
TESTS_ID=7531                                            # uid of workers under test; their gid and the tests' own
REGION=ap-northeast-2 ZONE=ap-northeast-2b INSTANCE_TYPE=m5.xlarge   # what the node says of itself

# folder_of GROUP...  Where the binaries of these groups are: the name holds a hash of all that goes into them.
folder_of() {
  local group
  for group; do echo "$CACHE/bin/$group-$({ echo $KUBERNETES; cat $(find "$HERE/go/$group" -type f | LC_ALL=C sort); } | sha256sum | cut -c1-12)"; done
}
GROUPS_OF_BINARIES='kube own etcd containerd coredns'
for binaries in $(folder_of $GROUPS_OF_BINARIES); do PATH=$binaries:$PATH; done
export PATH=$PATH:/usr/sbin:/sbin
