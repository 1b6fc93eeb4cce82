import type { ConcernKey } from '../../../core/command/form.ts';

/** Programs that a person has to see whatever their arguments are, by the reason. Base names, lower case. */
const BY_REASON: Readonly<Partial<Record<ConcernKey, string>>> = {
  network: `curl wget wget2 aria2c axel fetch http https xh curlie scp sftp ftp lftp tftp nc ncat netcat socat telnet dig nslookup host drill kdig resolvectl ping ping6 traceroute tracepath mtr nmap masscan whois lynx w3m links elinks
    openssl s_client gh glab hub tea rclone restic s3cmd s5cmd mc croc magic-wormhole wormhole transfer ssh-copy-id autossh sshfs sshpass mail mailx sendmail mutt swaks wscat websocat grpcurl httpie youtube-dl yt-dlp irssi
    tailscale wg openvpn nmcli iperf iperf3 speedtest smbclient nfs ldapsearch snmpwalk getent arp ab wrk hey k6 siege vegeta telegram-send slack`,
  listener: 'http-server serve live-server ngrok cloudflared localtunnel lt caddy nginx httpd apache2 sshd json-server nodemon pm2 forever supervisord gunicorn uvicorn hypercorn daphne flask streamlit jupyter jupyter-lab jupyter-notebook storybook expo',
  package_install: 'apt apt-get aptitude dnf yum microdnf pacman yay paru zypper emerge apk brew port snap flatpak pkg pkgin dpkg rpm nix nix-env nix-shell guix conda mamba micromamba gem cpan cpanm luarocks pip pip3 easy_install opam vcpkg conan winget choco scoop softwareupdate installer npm-check-updates ncu corepack nvm fnm volta n asdf mise rtx sdk rustup ghcup pyenv rbenv nodenv code-server go-install nuget bower',
  package_run: 'create-react-app create-vite create-next-app degit yo',
  package_publish: 'twine semantic-release np release-it goreleaser lerna-publish vsce ovsx changeset',
  container: 'docker docker-compose podman podman-compose nerdctl buildah skopeo ctr crictl lxc lxc-attach lxd incus kind minikube k3d k3s colima lima limactl multipass systemd-nspawn machinectl vboxmanage virsh qemu-system-x86_64 qemu-img toolbox apptainer singularity devcontainer nixos-container runc crun containerd',
  infrastructure: 'kubectl k9s helm helmfile kustomize oc terraform tofu terragrunt pulumi cdk cdktf sam serverless sls aws aws-vault gcloud gsutil bq az azd doctl linode-cli hcloud vagrant ansible ansible-playbook ansible-vault packer nomad consul heroku flyctl fly vercel netlify wrangler firebase supabase railway render eksctl argocd flux istioctl ibmcloud oci aliyun cf eb copilot amplify salt puppet chef knife juju kubeadm etcdctl vercel now surge gcutil',
  database: 'psql pg_dump pg_dumpall pg_restore dropdb createdb dropuser createuser initdb pg_ctl mysql mariadb mysqldump mysqladmin sqlite3 sqlite mongosh mongo mongodump mongorestore mongoexport mongoimport redis-cli cqlsh influx clickhouse clickhouse-client sqlcmd sqlplus duckdb cockroach etcdctl3 prisma-migrate flyway liquibase dbmate',
  secret_store: 'pass gopass op bw lpass security secret-tool keyring vault gpg gpg2 gpgconf gpg-agent ssh-add ssh-keygen ssh-agent keychain kwallet-query kwalletcli age sops chamber doppler infisical envchain aws-okta saml2aws certutil pk12util pass-otp rbw keepassxc-cli credstash ykman step',
  service_control: 'systemctl service initctl rc-service rc-update update-rc.d chkconfig launchctl sv svc s6-svc supervisorctl sc net monit loginctl invoke-rc.d brew-services',
  process_kill: 'kill pkill killall killall5 xkill skill snice fuser taskkill tskill slay',
  power: 'shutdown reboot halt poweroff',
  block_device: `mkfs mke2fs mkdosfs mkntfs mkswap wipefs fdisk sfdisk cfdisk gdisk sgdisk cgdisk parted partprobe blkdiscard badblocks hdparm sdparm nvme cryptsetup lvremove vgremove pvremove lvcreate vgcreate pvcreate lvreduce lvresize mdadm zpool zfs btrfs
    dmsetup losetup mount umount swapon swapoff fsck e2fsck tune2fs resize2fs xfs_repair debugfs diskutil hdiutil ddrescue dcfldd dc3dd pv_dd dumpe2fs grub-install efibootmgr bless format diskpart newfs mkisofs`,
  kernel: `iptables ip6tables nft ufw firewall-cmd ip ifconfig route sysctl modprobe insmod rmmod depmod setenforce apparmor_parser aa-disable kexec dmesg hwclock timedatectl hostnamectl localectl update-grub update-initramfs dracut spctl csrutil nvram
    pmset defaults scutil networksetup dscl ldconfig update-alternatives alternatives chvt loadkeys setterm swaplabel tc ethtool iw iwconfig rfkill cpupower tuned-adm bpftool bpftrace auditctl nscd systemd-tmpfiles`,
  persistence: 'crontab at atd batch atrm anacron fcron systemd-run launchd schtasks incrontab',
  account_change: 'useradd userdel usermod groupadd groupdel groupmod adduser deluser addgroup delgroup passwd chpasswd chage chsh chfn gpasswd newusers newgrp vipw vigr visudo pwconv grpconv faillock pam-auth-update authconfig realm htpasswd',
  process_list: 'ps top htop btop atop iotop pgrep pidof pstree lsof ss netstat w who last lastlog lastb vmstat iostat sar dstat pmap glances nvidia-smi journalctl coredumpctl',
  inline_code: 'expect tclsh wish osascript guile racket sbcl clisp ghci irb pry ipython bpython R Rscript julia octave matlab gnuplot m4 dc scala kotlin kotlinc jshell groovy clj clojure erl iex elixir ocaml utop swipl csi fsi dotnet-script powershell pwsh cmd wscript cscript mshta rundll32 regsvr32 nu xonsh elvish lua luajit tcl maxima bb janet',
  desktop: 'xdg-open open gnome-open kde-open gvfs-open start explorer say afplay pbcopy pbpaste xclip xsel wl-copy wl-paste notify-send xdotool ydotool wmctrl import scrot screencapture code cursor windsurf codium code-insiders subl atom idea firefox chromium google-chrome chrome safari msedge brave sensible-browser x-www-browser www-browser wsl clip adb fastboot xcrun simctl cliclick',
  interactive: 'tmux screen zellij byobu dtach abduco minicom picocom cu tip vimtutor nethack dialog whiptail fzf gum ranger mc nnn lf tig lazygit gitui',
  tampering: 'john hashcat hydra medusa aircrack-ng metasploit msfconsole msfvenom sqlmap nikto gobuster ffuf dirb wfuzz ettercap bettercap responder mimikatz tcpdump tshark wireshark dumpcap ngrep crackmapexec impacket-secretsdump linpeas pspy chisel ligolo',
};

/** What a program's name alone says. */
export const OBJECTIONS: ReadonlyMap<string, ConcernKey> = new Map(
  (Object.entries(BY_REASON) as [ConcernKey, string][]).flatMap(([key, names]) => names.split(/\s+/).map((name) => [name.toLowerCase(), key] as const)),
);

/** Families of names: `mkfs.ext4`, `python3.12` and the like. */
export const FAMILIES: readonly (readonly [RegExp, ConcernKey])[] = [
  [/^mkfs\..+$|^fsck\..+$|^mount\..+$|^newfs_/, 'block_device'],
  [/^qemu-/, 'container'],
  [/^(?:aws|gcloud|az)-/, 'infrastructure'],
];
