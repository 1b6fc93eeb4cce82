import { type PathRule } from '../subject.ts';

/** Sockets of daemons: whoever may write to one commands the daemon. */
export const sockets: PathRule = {
  id: 'path/sockets', patternKey: 'daemon_socket', sensitive: true,
  reason: 'It opens the control socket of a system service',
  judge: ({ operation, target }) => (operation !== 'list' && /(?:docker|containerd|podman|crio|dbus|system_bus|snapd|libvirt|ssh-agent|agent)[\w.-]*\.?sock(?:et)?$|^\/tmp\/ssh-/.test(target.real) ? 'ask' : undefined),
  examples: { hit: [{ operation: 'read', path: '/var/run/docker.sock' }], miss: [{ operation: 'read', path: 'src/socket.ts' }] },
};
