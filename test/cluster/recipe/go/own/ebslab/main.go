// ebslab plays the EBS CSI driver ("ebs.csi.aws.com") and, where EC2 is emulated, the cloud's controller on a cluster
// of one node.
//
// One process is all halves of the driver: the provisioner (PVs with volumeHandle vol-…, WaitForFirstConsumer, Delete and
// Retain), the attacher (VolumeAttachments) and the node's CSI services, where a volume is a folder that is bind-mounted.
//
// With an endpoint in the file of -ec2 it calls EC2 as the real driver does (CreateVolume, AttachVolume, DetachVolume,
// DeleteVolume) and takes the volume's id from there; without, it makes ids up. volumes.json tells what it holds.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"log"
	"os"
	"path/filepath"
	"sync"
	"time"

	storagev1 "k8s.io/api/storage/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"
)

const driver = "ebs.csi.aws.com"

var (
	kubeconfig   = flag.String("kubeconfig", "", "")
	state        = flag.String("state", "", "folder for volumes and volumes.json")
	kubeletRoot  = flag.String("kubelet-root", "/var/lib/kubelet", "")
	node         = flag.String("node", "", "")
	zone         = flag.String("zone", "us-east-1a", "")
	instanceType = flag.String("instance-type", "m5.xlarge", "of the node's instance in EC2")
	ec2File      = flag.String("ec2", "", "file that holds EC2's endpoint; absent or empty: EC2 is not called")
)

type volume struct {
	ID, PVC, PV, Type   string
	Bytes, IOPS, MBps   int64
	Encrypted, Attached bool
	EC2                 bool // whether EC2 knows it
	Tags                map[string]string
	Created             time.Time
}

// store is what the driver holds; volumes.json is written on each change.
type store struct {
	sync.Mutex
	volumes map[string]volume
}

func (s *store) get(id string) (volume, bool) {
	s.Lock()
	defer s.Unlock()
	v, ok := s.volumes[id]
	return v, ok
}

func (s *store) put(v volume) {
	s.Lock()
	defer s.Unlock()
	s.volumes[v.ID] = v
	s.save()
}

func (s *store) forget(id string) {
	s.Lock()
	defer s.Unlock()
	delete(s.volumes, id)
	s.save()
}

func (s *store) save() {
	b, _ := json.MarshalIndent(s.volumes, "", " ")
	path := filepath.Join(*state, "volumes.json")
	must(os.WriteFile(path+".t", b, 0o644))
	must(os.Rename(path+".t", path))
}

func folderOf(id string) string { return filepath.Join(*state, "volumes", id) }

func main() {
	flag.Parse()
	must(os.MkdirAll(filepath.Join(*state, "volumes"), 0o755))
	s := &store{volumes: map[string]volume{}}
	if b, err := os.ReadFile(filepath.Join(*state, "volumes.json")); err == nil {
		must(json.Unmarshal(b, &s.volumes))
	}
	s.save()
	config, err := clientcmd.BuildConfigFromFlags("", *kubeconfig)
	must(err)
	config.QPS, config.Burst = 50, 100
	kube := kubernetes.NewForConfigOrDie(config)
	for register(kube) != nil {
		time.Sleep(500 * time.Millisecond)
	}
	go serveNode()
	for {
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
		for _, step := range []func(context.Context, kubernetes.Interface) error{s.provisionAll, s.attachAll, s.deleteAll} {
			if err := step(ctx, kube); err != nil {
				log.Print(err)
			}
		}
		if endpoint := ec2Endpoint(); endpoint != "" {
			if _, err := ec2(endpoint).instanceOf(ctx, kube); err != nil {
				log.Print(err)
			}
		}
		cancel()
		time.Sleep(500 * time.Millisecond)
	}
}

func register(kube kubernetes.Interface) error {
	policy, yes, no := storagev1.FileFSGroupPolicy, true, false
	_, err := kube.StorageV1().CSIDrivers().Create(context.Background(), &storagev1.CSIDriver{
		ObjectMeta: metav1.ObjectMeta{Name: driver},
		Spec:       storagev1.CSIDriverSpec{AttachRequired: &yes, PodInfoOnMount: &no, FSGroupPolicy: &policy},
	}, metav1.CreateOptions{})
	if apierrors.IsAlreadyExists(err) {
		return nil
	}
	return err
}

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
