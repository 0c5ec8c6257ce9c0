package main

import (
	"context"
	"errors"
	"log"
	"slices"

	storagev1 "k8s.io/api/storage/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

const attachFinalizer = "external-attacher/ebs-csi-aws-com"

var errInUse = errors.New("VolumeInUse: the volume is attached")

// attachAll answers the VolumeAttachments that Kubernetes makes and deletes for our volumes.
func (s *store) attachAll(ctx context.Context, kube kubernetes.Interface) error {
	attachments, err := kube.StorageV1().VolumeAttachments().List(ctx, fromCache)
	if err != nil {
		return err
	}
	for _, a := range attachments.Items {
		if a.Spec.Attacher != driver || a.Spec.Source.PersistentVolumeName == nil {
			continue
		}
		var err error
		switch {
		case a.DeletionTimestamp != nil && slices.Contains(a.Finalizers, attachFinalizer):
			err = s.detach(ctx, kube, &a)
		case a.DeletionTimestamp == nil && !a.Status.Attached:
			err = s.attach(ctx, kube, &a)
		}
		if err != nil && !apierrors.IsConflict(err) && !apierrors.IsNotFound(err) {
			log.Printf("attachment of %s: %v", *a.Spec.Source.PersistentVolumeName, err)
		}
	}
	return nil
}

func (s *store) attach(ctx context.Context, kube kubernetes.Interface, a *storagev1.VolumeAttachment) error {
	all := kube.StorageV1().VolumeAttachments()
	if !slices.Contains(a.Finalizers, attachFinalizer) {
		a.Finalizers = append(a.Finalizers, attachFinalizer)
		var err error
		if a, err = all.Update(ctx, a, metav1.UpdateOptions{}); err != nil {
			return err
		}
	}
	if err := s.setAttached(ctx, kube, *a.Spec.Source.PersistentVolumeName, true); err != nil {
		return err
	}
	a.Status.Attached = true
	_, err := all.UpdateStatus(ctx, a, metav1.UpdateOptions{})
	return err
}

func (s *store) detach(ctx context.Context, kube kubernetes.Interface, a *storagev1.VolumeAttachment) error {
	if err := s.setAttached(ctx, kube, *a.Spec.Source.PersistentVolumeName, false); err != nil {
		return err
	}
	a.Finalizers = slices.DeleteFunc(a.Finalizers, func(f string) bool { return f == attachFinalizer })
	_, err := kube.StorageV1().VolumeAttachments().Update(ctx, a, metav1.UpdateOptions{})
	return err
}

func (s *store) setAttached(ctx context.Context, kube kubernetes.Interface, pv string, attached bool) error {
	object, err := kube.CoreV1().PersistentVolumes().Get(ctx, pv, metav1.GetOptions{})
	if apierrors.IsNotFound(err) && !attached {
		return nil
	} else if err != nil {
		return err
	}
	v, known := s.get(object.Spec.CSI.VolumeHandle)
	if !known || v.Attached == attached {
		return nil
	}
	if v.EC2 {
		cloud := ec2(ec2Endpoint())
		instance, err := cloud.instanceOf(ctx, kube)
		if err != nil {
			return err
		}
		if attached {
			err = cloud.attachVolume(v.ID, instance)
		} else {
			err = cloud.detachVolume(v.ID, instance)
		}
		if err != nil {
			return err
		}
	}
	v.Attached = attached
	s.put(v)
	return nil
}
