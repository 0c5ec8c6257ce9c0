#!/usr/bin/env bash
# up.sh [apiserver]  Starts the cluster in $LAB, or its API server alone. Must run in a network namespace of its own
# (with-cluster.sh): it takes fixed addresses and ports. Pids are in $LAB/pids, logs in $LAB/logs.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/env.sh"
PKI=$LAB/pki PIDS=$LAB/pids LOGS=$LAB/logs
ADMIN=$LAB/admin.kubeconfig
CTR=(ctr -a "$LAB/ctrd/containerd.sock" -n k8s.io)
mkdir -p "$PKI" "$PIDS" "$LOGS"

say() { echo "cluster: $* (${SECONDS} s)"; }
start() { # start NAME COMMAND...
  local name=$1
  shift
  setsid nohup "$@" >>"$LOGS/$name.log" 2>&1 </dev/null &
  echo $! >"$PIDS/$name"
}
await() { # await SECONDS COMMAND...
  local until=$((SECONDS + $1))
  shift
  until "$@" >/dev/null 2>&1; do
    if ((SECONDS > until)); then
      echo "cluster: gave up waiting for: $*" >&2
      tail -n 5 "$LOGS"/*.log >&2
      exit 1
    fi
    sleep 0.2
  done
}
k() { kubectl --kubeconfig "$ADMIN" "$@"; }

certificate() { # certificate NAME SUBJECT [ALTERNATIVE-NAMES]
  openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj "$2" -keyout "$PKI/$1.key" -out "$PKI/$1.csr" 2>/dev/null
  openssl x509 -req -in "$PKI/$1.csr" -CA "$PKI/ca.crt" -CAkey "$PKI/ca.key" -CAcreateserial -days 30 -out "$PKI/$1.crt" \
    -extfile <(printf 'extendedKeyUsage=clientAuth,serverAuth\n%s\n' "${3:+subjectAltName=$3}") 2>/dev/null
}

kubeconfig() { # kubeconfig USER ADDRESS [FILE]
  cat >"${3:-$LAB/$1.kubeconfig}" <<Y
apiVersion: v1
kind: Config
current-context: lab
contexts: [{name: lab, context: {cluster: lab, user: $1}}]
clusters: [{name: lab, cluster: {server: "https://$2:$API_PORT", certificate-authority-data: $(base64 -w0 <"$PKI/ca.crt")}}]
users: [{name: $1, user: {client-certificate-data: $(base64 -w0 <"$PKI/$1.crt"), client-key-data: $(base64 -w0 <"$PKI/$1.key")}}]
Y
}

identities() {
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 30 -subj /CN=lab-ca -keyout "$PKI/ca.key" -out "$PKI/ca.crt" 2>/dev/null
  openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048 -out "$PKI/sa.key" 2>/dev/null
  openssl pkey -in "$PKI/sa.key" -pubout -out "$PKI/sa.pub"
  certificate apiserver /CN=kube-apiserver "IP:127.0.0.1,IP:$NODE_IP,IP:$CLIENT_API,IP:$SERVICE_API,DNS:localhost,DNS:kubernetes,DNS:kubernetes.default,DNS:kubernetes.default.svc,DNS:kubernetes.default.svc.cluster.local"
  certificate kubelet-client /O=system:masters/CN=kube-apiserver-kubelet-client
  certificate kubelet "/O=system:nodes/CN=system:node:$NODE" "IP:$NODE_IP,DNS:$NODE"
  certificate admin /O=system:masters/CN=lab-admin
  certificate addons /O=system:masters/CN=lab-addons
  local part
  for part in controller-manager scheduler proxy; do certificate $part /CN=system:kube-$part; done
  for part in admin addons controller-manager scheduler proxy kubelet; do kubeconfig $part 127.0.0.1; done
  # clients go to an address of their own, so that a test can cut it off without touching the cluster's parts
  kubeconfig admin "$CLIENT_API" "$LAB/client.kubeconfig"
  chmod 644 "$LAB/client.kubeconfig"
}

# The node's and the pods' addresses are on one bridge: not every kernel has a dummy device.
network() {
  ip link set lo up
  ip link add k8slab0 type bridge
  ip addr add "$POD_GATEWAY/24" dev k8slab0
  ip addr add "$NODE_IP/32" dev k8slab0
  ip addr add "$CLIENT_API/32" dev k8slab0
  ip link set k8slab0 up
  ip route add "$SERVICE_RANGE" dev k8slab0
}

# What accounts of Assay ask, and what they are answered: tests compare it with the roles that they have.
audit_policy() {
  cat >"$LAB/audit-policy.yaml" <<Y
apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived]
rules:
- {level: Metadata, userGroups: ["system:serviceaccounts:assay"]}
- {level: None}
Y
}

apiserver() {
  audit_policy
  start apiserver kube-apiserver --etcd-servers="http://127.0.0.1:$ETCD_PORT" --bind-address=0.0.0.0 --secure-port="$API_PORT" \
    --advertise-address="$NODE_IP" --service-cluster-ip-range="$SERVICE_RANGE" --endpoint-reconciler-type=lease \
    --client-ca-file="$PKI/ca.crt" --tls-cert-file="$PKI/apiserver.crt" --tls-private-key-file="$PKI/apiserver.key" \
    --kubelet-client-certificate="$PKI/kubelet-client.crt" --kubelet-client-key="$PKI/kubelet-client.key" \
    --kubelet-certificate-authority="$PKI/ca.crt" --kubelet-preferred-address-types=InternalIP \
    --service-account-key-file="$PKI/sa.pub" --service-account-signing-key-file="$PKI/sa.key" \
    --service-account-issuer=https://kubernetes.default.svc.cluster.local \
    --requestheader-client-ca-file="$PKI/ca.crt" --requestheader-allowed-names=front-proxy \
    --requestheader-username-headers=X-Remote-User --requestheader-group-headers=X-Remote-Group \
    --requestheader-extra-headers-prefix=X-Remote-Extra- --authorization-mode=Node,RBAC \
    --enable-admission-plugins=NodeRestriction --allow-privileged=true --shutdown-delay-duration=0s \
    --audit-policy-file="$LAB/audit-policy.yaml" --audit-log-path="$LOGS/audit.jsonl"
  await 120 k get --raw /readyz
  say 'API server answers'
}

control_plane() {
  start etcd etcd --data-dir="$LAB/etcd" --listen-client-urls="http://127.0.0.1:$ETCD_PORT" \
    --advertise-client-urls="http://127.0.0.1:$ETCD_PORT" --listen-peer-urls=http://127.0.0.1:12380 --unsafe-no-fsync --log-level=warn
  apiserver
  local own=(--bind-address=127.0.0.1 --leader-elect=false) config
  config=$LAB/controller-manager.kubeconfig
  start controller-manager kube-controller-manager --kubeconfig="$config" --authentication-kubeconfig="$config" \
    --authorization-kubeconfig="$config" "${own[@]}" --secure-port=20257 --root-ca-file="$PKI/ca.crt" \
    --service-account-private-key-file="$PKI/sa.key" --use-service-account-credentials=true
  config=$LAB/scheduler.kubeconfig
  start scheduler kube-scheduler --kubeconfig="$config" --authentication-kubeconfig="$config" \
    --authorization-kubeconfig="$config" "${own[@]}" --secure-port=20259
}

containers() {
  mkdir -p "$LAB/cni" "$LAB/ctrd"
  cat >"$LAB/cni/10-lab.conflist" <<Y
{"cniVersion":"1.0.0","name":"lab","plugins":[
 {"type":"bridge","bridge":"k8slab0","isDefaultGateway":true,"hairpinMode":true,"ipMasq":false,
  "ipam":{"type":"host-local","dataDir":"$LAB/cni-ipam","ranges":[[{"subnet":"$POD_CIDR","gateway":"$POD_GATEWAY"}]]}},
 {"type":"portmap","capabilities":{"portMappings":true}}]}
Y
  cat >"$LAB/ctrd/config.toml" <<Y
version = 3
root = "$LAB/ctrd/root"
state = "$LAB/ctrd/state"
disabled_plugins = ["io.containerd.nri.v1.nri"]
[grpc]
  address = "$LAB/ctrd/containerd.sock"
[plugins."io.containerd.cri.v1.images"]
  snapshotter = "overlayfs"
  [plugins."io.containerd.cri.v1.images".pinned_images]
    sandbox = "lab.local/pause:1"
[plugins."io.containerd.cri.v1.runtime"]
  restrict_oom_score_adj = true # CAP_SYS_RESOURCE is missing in many containers
  [plugins."io.containerd.cri.v1.runtime".cni]
    bin_dirs = ["/usr/lib/cni"]
    conf_dir = "$LAB/cni"
  [plugins."io.containerd.cri.v1.runtime".containerd]
    default_runtime_name = "runc"
    [plugins."io.containerd.cri.v1.runtime".containerd.runtimes.runc]
      runtime_type = "io.containerd.runc.v2"
      [plugins."io.containerd.cri.v1.runtime".containerd.runtimes.runc.options]
        BinaryName = "/usr/sbin/runc"
        SystemdCgroup = false
[plugins."io.containerd.internal.v1.opt"]
  path = "$LAB/ctrd/opt"
Y
  start containerd containerd --config "$LAB/ctrd/config.toml"
  await 30 "${CTR[@]}" version
  local image
  for image in $ASSAY_CLUSTER_IMAGES; do "${CTR[@]}" images import "$image" >/dev/null; done
  say 'images imported'
}

node() {
  : >"$LAB/resolv.conf"
  cat >"$LAB/kubelet.yaml" <<Y
apiVersion: kubelet.config.k8s.io/v1beta1
kind: KubeletConfiguration
address: $NODE_IP
port: 10250
healthzBindAddress: 127.0.0.1
tlsCertFile: $PKI/kubelet.crt
tlsPrivateKeyFile: $PKI/kubelet.key
authentication: {anonymous: {enabled: false}, webhook: {enabled: true}, x509: {clientCAFile: $PKI/ca.crt}}
authorization: {mode: Webhook}
failCgroupV1: false
cgroupDriver: cgroupfs
cgroupRoot: $CGROUP
failSwapOn: false
oomScoreAdj: 0
nodeStatusUpdateFrequency: 2s
containerRuntimeEndpoint: unix://$LAB/ctrd/containerd.sock
clusterDomain: cluster.local
clusterDNS: [$NODE_IP]
resolvConf: $LAB/resolv.conf
volumePluginDir: $LAB/kubelet/volumeplugins
evictionHard: {nodefs.available: 1Gi, imagefs.available: 1Gi, memory.available: 100Mi}
imageGCHighThresholdPercent: 100
imageGCLowThresholdPercent: 99
podLogsDir: $LAB/podlogs
shutdownGracePeriod: 0s
Y
  local controller file
  for controller in /sys/fs/cgroup/*/; do
    [ -e "$controller/cgroup.procs" ] || continue
    mkdir -p "$controller$CGROUP"
    # a new cpuset is empty, and its children with it
    [ ! -e "$controller/cpuset.cpus" ] || for file in cpuset.cpus cpuset.mems; do cat "$controller$file" >"$controller$CGROUP/$file"; done
  done
  start kubelet kubelet --config="$LAB/kubelet.yaml" --kubeconfig="$LAB/kubelet.kubeconfig" --root-dir="$LAB/kubelet" \
    --hostname-override="$NODE" --node-ip="$NODE_IP" \
    --node-labels="topology.kubernetes.io/zone=$ZONE,topology.kubernetes.io/region=$REGION,node.kubernetes.io/instance-type=$INSTANCE_TYPE,karpenter.sh/capacity-type=on-demand" --v=2
}

addons() {
  start ebslab ebslab -kubeconfig "$LAB/addons.kubeconfig" -state "$LAB/ebs" -kubelet-root "$LAB/kubelet" -node "$NODE" \
    -zone "$ZONE" -instance-type "$INSTANCE_TYPE" -ec2 "$LAB/ec2.endpoint"
  cat >"$LAB/Corefile" <<Y
.:53 {
  bind $NODE_IP
  errors
  kubernetes cluster.local in-addr.arpa {
    kubeconfig $LAB/addons.kubeconfig
    pods insecure
    ttl 1
  }
  cache 1
}
Y
  start coredns coredns -conf "$LAB/Corefile"
  cat >"$LAB/proxy.yaml" <<Y
apiVersion: kubeproxy.config.k8s.io/v1alpha1
kind: KubeProxyConfiguration
mode: iptables
clientConnection: {kubeconfig: $LAB/proxy.kubeconfig}
clusterCIDR: $POD_RANGE
healthzBindAddress: 127.0.0.1:20256
metricsBindAddress: 127.0.0.1:20249
conntrack: {maxPerCore: 0, min: 0}
Y
  start kube-proxy kube-proxy --config="$LAB/proxy.yaml" --hostname-override="$NODE"
}

if [ "${1:-}" = apiserver ]; then
  apiserver
  exit
fi
network
identities
containers &
images=$!
control_plane
wait $images
node
addons
await 60 k -n default get serviceaccount default
await 120 k wait --for=condition=Ready "node/$NODE" --timeout=1s
say 'node is Ready'
