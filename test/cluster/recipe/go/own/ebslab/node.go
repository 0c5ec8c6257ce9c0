package main

import (
	"context"
	"fmt"
	"log"
	"net"
	"os"
	"path/filepath"
	"strings"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"golang.org/x/sys/unix"
	"google.golang.org/grpc"
	registration "k8s.io/kubelet/pkg/apis/pluginregistration/v1"
)

// serveNode answers the kubelet: registration of the driver, and mounting.
func serveNode() {
	socket := filepath.Join(*kubeletRoot, "plugins", driver, "csi.sock")
	go serve(socket, func(g *grpc.Server) {
		csi.RegisterIdentityServer(g, &identity{})
		csi.RegisterNodeServer(g, &nodeServer{})
	})
	serve(filepath.Join(*kubeletRoot, "plugins_registry", driver+"-reg.sock"), func(g *grpc.Server) {
		registration.RegisterRegistrationServer(g, &registrar{socket: socket})
	})
}

func serve(socket string, register func(*grpc.Server)) {
	must(os.MkdirAll(filepath.Dir(socket), 0o755))
	_ = os.Remove(socket)
	listener, err := net.Listen("unix", socket)
	must(err)
	g := grpc.NewServer()
	register(g)
	must(g.Serve(listener))
}

type registrar struct {
	registration.UnimplementedRegistrationServer
	socket string
}

func (r registrar) GetInfo(context.Context, *registration.InfoRequest) (*registration.PluginInfo, error) {
	return &registration.PluginInfo{Type: registration.CSIPlugin, Name: driver, Endpoint: r.socket, SupportedVersions: []string{"1.0.0"}}, nil
}

func (registrar) NotifyRegistrationStatus(_ context.Context, status *registration.RegistrationStatus) (*registration.RegistrationStatusResponse, error) {
	log.Printf("kubelet registration: %v %s", status.PluginRegistered, status.Error)
	return &registration.RegistrationStatusResponse{}, nil
}

type identity struct {
	csi.UnimplementedIdentityServer
}

func (identity) GetPluginInfo(context.Context, *csi.GetPluginInfoRequest) (*csi.GetPluginInfoResponse, error) {
	return &csi.GetPluginInfoResponse{Name: driver, VendorVersion: "lab"}, nil
}

func (identity) GetPluginCapabilities(context.Context, *csi.GetPluginCapabilitiesRequest) (*csi.GetPluginCapabilitiesResponse, error) {
	return &csi.GetPluginCapabilitiesResponse{}, nil
}

func (identity) Probe(context.Context, *csi.ProbeRequest) (*csi.ProbeResponse, error) {
	return &csi.ProbeResponse{}, nil
}

type nodeServer struct{ csi.UnimplementedNodeServer }

func (nodeServer) NodeGetCapabilities(context.Context, *csi.NodeGetCapabilitiesRequest) (*csi.NodeGetCapabilitiesResponse, error) {
	return &csi.NodeGetCapabilitiesResponse{}, nil
}

func (nodeServer) NodeGetInfo(context.Context, *csi.NodeGetInfoRequest) (*csi.NodeGetInfoResponse, error) {
	return &csi.NodeGetInfoResponse{NodeId: *node, MaxVolumesPerNode: 25,
		AccessibleTopology: &csi.Topology{Segments: map[string]string{"topology.kubernetes.io/zone": *zone}}}, nil
}

func (nodeServer) NodePublishVolume(_ context.Context, r *csi.NodePublishVolumeRequest) (*csi.NodePublishVolumeResponse, error) {
	if strings.Contains(r.VolumeId, "/") {
		return nil, fmt.Errorf("%q is no volume id", r.VolumeId)
	}
	source := folderOf(r.VolumeId)
	if _, err := os.Stat(source); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(r.TargetPath, 0o750); err != nil {
		return nil, err
	}
	if !sameFile(source, r.TargetPath) {
		if err := unix.Mount(source, r.TargetPath, "", unix.MS_BIND, ""); err != nil {
			return nil, err
		}
	}
	return &csi.NodePublishVolumeResponse{}, nil
}

func (nodeServer) NodeUnpublishVolume(_ context.Context, r *csi.NodeUnpublishVolumeRequest) (*csi.NodeUnpublishVolumeResponse, error) {
	if err := unix.Unmount(r.TargetPath, 0); err != nil && err != unix.EINVAL && err != unix.ENOENT {
		return nil, err
	}
	_ = os.Remove(r.TargetPath)
	return &csi.NodeUnpublishVolumeResponse{}, nil
}

func sameFile(a, b string) bool {
	one, err := os.Stat(a)
	if err != nil {
		return false
	}
	other, err := os.Stat(b)
	return err == nil && os.SameFile(one, other)
}
