package main

import (
	"context"
	"encoding/xml"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
)

// ec2 is the endpoint of an emulated EC2: its Query API, unsigned, since the emulator does not check signatures.
type ec2 string

func ec2Endpoint() string {
	b, _ := os.ReadFile(*ec2File)
	return strings.TrimSpace(string(b))
}

func (e ec2) call(action string, with url.Values, answer any) error {
	if e == "" {
		return fmt.Errorf("EC2 holds the volume, but no endpoint is set")
	}
	with.Set("Action", action)
	with.Set("Version", "2016-11-15")
	request, err := http.NewRequest("POST", string(e)+"/", strings.NewReader(with.Encode()))
	if err != nil {
		return err
	}
	region := strings.TrimRight(*zone, "abcdef")
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded; charset=utf-8")
	request.Header.Set("Authorization", "AWS4-HMAC-SHA256 Credential=ebslab/20260101/"+region+"/ec2/aws4_request, SignedHeaders=host, Signature=0")
	client := http.Client{Timeout: 10 * time.Second}
	response, err := client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return err
	}
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %d %.300s", action, response.StatusCode, body)
	}
	if answer == nil {
		return nil
	}
	return xml.Unmarshal(body, answer)
}

func tagValues(with url.Values, resource string, tags map[string]string) {
	with.Set("TagSpecification.1.ResourceType", resource)
	n := 0
	for key, value := range tags {
		n++
		with.Set(fmt.Sprintf("TagSpecification.1.Tag.%d.Key", n), key)
		with.Set(fmt.Sprintf("TagSpecification.1.Tag.%d.Value", n), value)
	}
}

func (e ec2) createVolume(v volume) (string, error) {
	with := url.Values{"AvailabilityZone": {*zone}, "Size": {strconv.FormatInt(v.Bytes>>30, 10)}}
	if v.Type != "" {
		with.Set("VolumeType", v.Type)
	}
	if v.IOPS > 0 {
		with.Set("Iops", strconv.FormatInt(v.IOPS, 10))
	}
	if v.MBps > 0 {
		with.Set("Throughput", strconv.FormatInt(v.MBps, 10))
	}
	if v.Encrypted {
		with.Set("Encrypted", "true")
	}
	tagValues(with, "volume", v.Tags)
	var answer struct {
		ID string `xml:"volumeId"`
	}
	if err := e.call("CreateVolume", with, &answer); err != nil {
		return "", err
	}
	if answer.ID == "" {
		return "", fmt.Errorf("CreateVolume: no volume id in the answer")
	}
	return answer.ID, nil
}

// deleteVolume takes a volume that is not there for deleted, as the driver does.
func (e ec2) deleteVolume(id string) error {
	err := e.call("DeleteVolume", url.Values{"VolumeId": {id}}, nil)
	if err != nil && strings.Contains(err.Error(), "InvalidVolume.NotFound") {
		return nil
	}
	return err
}

func (e ec2) attachVolume(id, instance string) error {
	// a device name of its own for each volume: where two have one, the emulator forgets the first
	return e.call("AttachVolume", url.Values{"VolumeId": {id}, "InstanceId": {instance}, "Device": {"/dev/" + id}}, nil)
}

// detachVolume takes a volume that is not attached for detached, as the driver does.
func (e ec2) detachVolume(id, instance string) error {
	err := e.call("DetachVolume", url.Values{"VolumeId": {id}, "InstanceId": {instance}}, nil)
	if err != nil && strings.Contains(err.Error(), "InvalidAttachment.NotFound") {
		return nil
	}
	return err
}

// instanceOf is the instance that the node's providerID names; the first time it is launched and named there.
func (e ec2) instanceOf(ctx context.Context, kube kubernetes.Interface) (string, error) {
	object, err := kube.CoreV1().Nodes().Get(ctx, *node, metav1.GetOptions{})
	if err != nil {
		return "", err
	}
	if id := object.Spec.ProviderID; id != "" {
		return id[strings.LastIndex(id, "/")+1:], nil
	}
	with := url.Values{"ImageId": {"ami-12c6146b"}, "MinCount": {"1"}, "MaxCount": {"1"}, "InstanceType": {*instanceType},
		"Placement.AvailabilityZone": {*zone}}
	tagValues(with, "instance", map[string]string{"Name": *node})
	var answer struct {
		IDs []string `xml:"instancesSet>item>instanceId"`
	}
	if err := e.call("RunInstances", with, &answer); err != nil {
		return "", err
	}
	if len(answer.IDs) != 1 {
		return "", fmt.Errorf("RunInstances: %d instances in the answer", len(answer.IDs))
	}
	patch := fmt.Sprintf(`{"spec":{"providerID":"aws:///%s/%s"}}`, *zone, answer.IDs[0])
	_, err = kube.CoreV1().Nodes().Patch(ctx, *node, types.MergePatchType, []byte(patch), metav1.PatchOptions{})
	return answer.IDs[0], err
}
