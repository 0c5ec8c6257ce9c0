package main

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"log"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	v1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

const pvFinalizer = "external-provisioner.volume.kubernetes.io/finalizer"

var fromCache = metav1.ListOptions{ResourceVersion: "0"}

// provisionAll makes a volume and its PV for each claim of one of our classes that waits for one.
func (s *store) provisionAll(ctx context.Context, kube kubernetes.Interface) error {
	classes, err := kube.StorageV1().StorageClasses().List(ctx, fromCache)
	if err != nil {
		return err
	}
	ours := map[string]storagev1.StorageClass{}
	for _, class := range classes.Items {
		if class.Provisioner == driver {
			ours[class.Name] = class
		}
	}
	claims, err := kube.CoreV1().PersistentVolumeClaims("").List(ctx, fromCache)
	if err != nil {
		return err
	}
	for _, claim := range claims.Items {
		if claim.Spec.VolumeName != "" || claim.DeletionTimestamp != nil || claim.Spec.StorageClassName == nil {
			continue
		}
		class, ok := ours[*claim.Spec.StorageClassName]
		if !ok || claim.Annotations["volume.kubernetes.io/storage-provisioner"] != driver {
			continue
		}
		waits := class.VolumeBindingMode != nil && *class.VolumeBindingMode == storagev1.VolumeBindingWaitForFirstConsumer
		if waits && claim.Annotations["volume.kubernetes.io/selected-node"] == "" {
			continue
		}
		if err := s.provision(ctx, kube, &claim, &class); err != nil && !apierrors.IsAlreadyExists(err) {
			log.Printf("provision %s/%s: %v", claim.Namespace, claim.Name, err)
		}
	}
	return nil
}

func (s *store) provision(ctx context.Context, kube kubernetes.Interface, claim *v1.PersistentVolumeClaim, class *storagev1.StorageClass) error {
	name := "pvc-" + string(claim.UID)
	if _, err := kube.CoreV1().PersistentVolumes().Get(ctx, name, metav1.GetOptions{}); err == nil {
		return nil // the PV controller binds it
	}
	v, err := s.volumeFor(name, claim, class)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(folderOf(v.ID), 0o777); err != nil {
		return err
	}
	_ = os.Chmod(folderOf(v.ID), 0o777)
	pv := persistentVolume(v, claim, class)
	if _, err := kube.CoreV1().PersistentVolumes().Create(ctx, pv, metav1.CreateOptions{}); err != nil {
		return err
	}
	log.Printf("provisioned %s (%s) for %s", name, v.ID, v.PVC)
	return nil
}

// volumeFor is the volume made before for this PV (its creation may have failed since), or a new one.
func (s *store) volumeFor(pv string, claim *v1.PersistentVolumeClaim, class *storagev1.StorageClass) (volume, error) {
	s.Lock()
	for _, v := range s.volumes {
		if v.PV == pv {
			s.Unlock()
			return v, nil
		}
	}
	s.Unlock()
	asked := claim.Spec.Resources.Requests[v1.ResourceStorage]
	gib := (asked.Value() + (1 << 30) - 1) >> 30
	number := func(key string) int64 { n, _ := strconv.ParseInt(class.Parameters[key], 10, 64); return n }
	v := volume{PVC: claim.Namespace + "/" + claim.Name, PV: pv, Type: class.Parameters["type"], Bytes: gib << 30,
		IOPS: number("iops"), MBps: number("throughput"), Encrypted: class.Parameters["encrypted"] == "true",
		Tags: tagsOf(pv, claim, class), Created: time.Now().UTC()}
	if endpoint := ec2Endpoint(); endpoint != "" {
		id, err := ec2(endpoint).createVolume(v)
		if err != nil {
			return v, err
		}
		v.ID, v.EC2 = id, true
	} else {
		b := make([]byte, 8)
		_, _ = rand.Read(b)
		v.ID = "vol-0" + hex.EncodeToString(b)
	}
	s.put(v)
	return v, nil
}

// tagsOf are the tags that the real driver sets, and those of the class (tagSpecification_1: "key=value").
func tagsOf(pv string, claim *v1.PersistentVolumeClaim, class *storagev1.StorageClass) map[string]string {
	tags := map[string]string{
		"CSIVolumeName":                           pv,
		driver + "/cluster":                       "true",
		"kubernetes.io/created-for/pv/name":       pv,
		"kubernetes.io/created-for/pvc/name":      claim.Name,
		"kubernetes.io/created-for/pvc/namespace": claim.Namespace,
	}
	fill := strings.NewReplacer("{{ .PVCName }}", claim.Name, "{{ .PVCNamespace }}", claim.Namespace, "{{ .PVName }}", pv)
	for key, value := range class.Parameters {
		if strings.HasPrefix(key, "tagSpecification_") {
			name, text, _ := strings.Cut(value, "=")
			tags[name] = fill.Replace(text)
		}
	}
	return tags
}

func persistentVolume(v volume, claim *v1.PersistentVolumeClaim, class *storagev1.StorageClass) *v1.PersistentVolume {
	policy := v1.PersistentVolumeReclaimDelete
	if class.ReclaimPolicy != nil {
		policy = *class.ReclaimPolicy
	}
	mode, fsType := v1.PersistentVolumeFilesystem, class.Parameters["csi.storage.k8s.io/fstype"]
	if fsType == "" {
		fsType = "ext4"
	}
	return &v1.PersistentVolume{
		ObjectMeta: metav1.ObjectMeta{Name: v.PV, Finalizers: []string{pvFinalizer},
			Annotations: map[string]string{"pv.kubernetes.io/provisioned-by": driver}},
		Spec: v1.PersistentVolumeSpec{
			Capacity:    v1.ResourceList{v1.ResourceStorage: *resource.NewQuantity(v.Bytes, resource.BinarySI)},
			AccessModes: claim.Spec.AccessModes, PersistentVolumeReclaimPolicy: policy, StorageClassName: class.Name, VolumeMode: &mode,
			ClaimRef: &v1.ObjectReference{Kind: "PersistentVolumeClaim", APIVersion: "v1", Namespace: claim.Namespace,
				Name: claim.Name, UID: claim.UID, ResourceVersion: claim.ResourceVersion},
			PersistentVolumeSource: v1.PersistentVolumeSource{CSI: &v1.CSIPersistentVolumeSource{Driver: driver, VolumeHandle: v.ID,
				FSType: fsType, VolumeAttributes: map[string]string{"storage.kubernetes.io/csiProvisionerIdentity": "ebslab-" + driver}}},
			NodeAffinity: &v1.VolumeNodeAffinity{Required: &v1.NodeSelector{NodeSelectorTerms: []v1.NodeSelectorTerm{{
				MatchExpressions: []v1.NodeSelectorRequirement{{Key: "topology.kubernetes.io/zone", Operator: v1.NodeSelectorOpIn, Values: []string{*zone}}}}}}},
		},
	}
}

// deleteAll removes the volumes of released PVs with reclaim policy Delete, then the PV and our hold on it.
func (s *store) deleteAll(ctx context.Context, kube kubernetes.Interface) error {
	pvs, err := kube.CoreV1().PersistentVolumes().List(ctx, fromCache)
	if err != nil {
		return err
	}
	for _, pv := range pvs.Items {
		if pv.Spec.CSI == nil || pv.Spec.CSI.Driver != driver {
			continue
		}
		released := pv.Status.Phase == v1.VolumeReleased || pv.Status.Phase == v1.VolumeFailed
		remove := released && pv.Spec.PersistentVolumeReclaimPolicy == v1.PersistentVolumeReclaimDelete
		// a Retain PV that somebody deletes goes; its volume stays
		letGo := pv.DeletionTimestamp != nil && pv.Status.Phase != v1.VolumeBound && pv.Spec.PersistentVolumeReclaimPolicy != v1.PersistentVolumeReclaimDelete
		if !remove && !letGo {
			continue
		}
		if remove {
			if err := s.deleteVolume(pv.Spec.CSI.VolumeHandle); err != nil {
				log.Printf("delete %s: %v", pv.Spec.CSI.VolumeHandle, err)
				continue
			}
		}
		if err := dropPV(ctx, kube, &pv); err != nil {
			log.Printf("delete pv %s: %v", pv.Name, err)
		}
	}
	return nil
}

func (s *store) deleteVolume(id string) error {
	v, known := s.get(id)
	if known && v.Attached {
		return errInUse
	}
	if known && v.EC2 {
		if err := ec2(ec2Endpoint()).deleteVolume(id); err != nil {
			return err
		}
	}
	if err := os.RemoveAll(folderOf(id)); err != nil {
		return err
	}
	s.forget(id)
	log.Printf("deleted %s", id)
	return nil
}

func dropPV(ctx context.Context, kube kubernetes.Interface, pv *v1.PersistentVolume) error {
	pvs := kube.CoreV1().PersistentVolumes()
	if pv.DeletionTimestamp == nil {
		if err := pvs.Delete(ctx, pv.Name, metav1.DeleteOptions{}); err != nil && !apierrors.IsNotFound(err) {
			return err
		}
	}
	now, err := pvs.Get(ctx, pv.Name, metav1.GetOptions{})
	if apierrors.IsNotFound(err) {
		return nil
	} else if err != nil {
		return err
	}
	now.Finalizers = slices.DeleteFunc(now.Finalizers, func(f string) bool { return f == pvFinalizer })
	_, err = pvs.Update(ctx, now, metav1.UpdateOptions{})
	if apierrors.IsNotFound(err) || apierrors.IsConflict(err) {
		return nil
	}
	return err
}
