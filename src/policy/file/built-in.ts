/**
 * Defaults that apply without any policy file. Files add to these lists; only the user's file may remove entries, and
 * only from `blocked`.
 */
export const BUILT_IN = {
  words: [
    ...['delete', 'remove', 'erase', 'format', 'wipe', 'reset', 'uninstall', 'discard', 'overwrite', 'submit', 'send'],
    ...['pay', 'buy', 'order', 'transfer', 'purchase', 'confirm', 'publish', 'sign', 'authorize', 'shutdown'],
    ...['restart', 'log out'],
  ],
  keys: [
    ...['delete', 'shift+delete', 'ctrl+shift+delete', 'alt+f4', 'ctrl+q', 'ctrl+w', 'ctrl+enter', 'super'],
    'ctrl+alt+*',
  ],
  /** Programs whose windows take typed commands. */
  terminals: [
    ...['*term*', '*konsole*', '*kitty*', '*alacritty*', '*rxvt*', '*tilix*', '*ghostty*', '*guake*', '*yakuake*'],
    ...['kgx', 'ptyxis', 'foot', 'st', 'powershell*', 'pwsh*', 'cmd.exe', 'conhost.exe'],
  ],
  /** Programs that execute whatever their arguments contain. Their windows belong to the programs that they run. */
  interpreters: [
    ...['sh', 'bash', 'dash', 'ash', 'zsh', 'fish', 'ksh*', 'mksh', 'csh', 'tcsh', 'busybox'],
    ...['python*', 'node', 'nodejs', 'java', 'perl*', 'ruby*', 'env', 'powershell*', 'pwsh*', 'cmd.exe'],
  ],
  /** Titles of windows inside other apps that take commands. An app can only get stricter treatment by such a title. */
  consoles: [
    ...['*Script-Fu Console*', '*Python-Fu Console*', '*Python Console*', '*Scripting Console*', '*LibreOffice Basic*'],
    ...['DevTools*', '*Developer Tools*', '*Web Inspector*', '*Browser Console*', '*Web Console*', '*Browser Toolbox*'],
    ...['GTK Inspector*', '*Macro Editor*', '*Visual Basic*'],
  ],
  /** Programs that show web pages, or may do so (apps with a browser engine). */
  browsers: [
    ...['*firefox*', '*librewolf*', '*waterfox*', '*palemoon*', '*seamonkey*', '*chrom*', '*brave*', '*vivaldi*'],
    ...['*opera*', '*edge*', 'epiphany*', 'falkon*', 'konqueror*', 'midori*', 'qutebrowser*', 'netsurf*', 'dillo*'],
    ...['electron*', 'code', 'code-*', 'codium', 'vscodium', 'cursor', 'windsurf', 'slack*', 'discord*', 'iexplore*'],
    ...['icecat*', 'iceweasel*', '*tor-browser*', '*mullvad*', 'yandex*', 'thorium*', 'floorp*', 'zen', 'zen-b*'],
    ...['nyxt*', 'surf', '*minibrowser*', 'webkit*', 'safari*'],
  ],
  /** Programs whose arguments may name another program or contain code. Their windows, if any, are their own. */
  starters: [
    ...['setsid', 'nohup', 'nice', 'ionice', 'timeout', 'time', 'stdbuf', 'unbuffer', 'script', 'xargs', 'parallel'],
    ...['find', 'fd', 'fdfind', 'watch', 'entr', 'flock', 'chroot', 'unshare', 'nsenter', 'setpriv', 'setarch'],
    ...['taskset', 'prlimit', 'chrt', 'start-stop-daemon', 'systemd-run', 'systemctl', 'at', 'batch', 'crontab'],
    ...['run-parts', 'sudo', 'doas', 'su', 'runuser', 'pkexec', 'ssh', 'sshpass', 'scp', 'sftp', 'rsync', 'telnet'],
    ...['nc', 'nc.*', 'ncat', 'socat', 'dbus-run-session', 'dbus-launch', 'dbus-send', 'gdbus', 'busctl', 'xvfb-run'],
    ...['xinit', 'startx', 'screen', 'tmux*', 'gio', 'gapplication', 'gtk-launch', 'xdg-open', 'exo-open', 'kstart*'],
    ...['dex', 'snap', 'flatpak', 'docker', 'podman', 'ld-linux*', 'ld.so', 'ld-*.so*', 'openbox*'],
    ...['awk', '*gawk', 'mawk', 'original-awk', 'sed', 'ed', 'ex', 'tar', 'bsdtar', 'zip', 'cpio', 'bc', 'dc'],
    ...['lua*', 'php*', 'tclsh*', 'wish*', 'expect', 'guile*', 'racket', 'ghc*', 'runghc', 'ocaml', 'erl', 'iex'],
    ...['elixir', 'scala', 'groovy', 'kotlin*', 'jshell', 'julia', 'r', 'rscript', 'octave*', 'gjs*', 'cjs', 'qml*'],
    ...['deno', 'bun', 'npm', 'npx', 'yarn', 'pnpm', 'pip*', 'uv', 'uvx', 'cargo', 'go', 'mono', 'dotnet'],
    ...['make', 'gmake', 'cmake', 'ninja', 'gcc*', 'g++*', 'cc', 'c++', 'clang*', 'git', 'hg', 'svn'],
    ...['gdb*', 'lldb*', 'strace', 'ltrace', 'valgrind*', 'perf', 'rr'],
    ...['vi', 'vim*', 'nvim', 'gvim*', 'view', 'nano', 'pico', 'emacs*', 'less', 'more', 'most', 'man'],
    ...['code', 'code-*', 'codium', 'vscodium', 'cursor', 'windsurf', 'electron*'],
    ...['apt*', 'dpkg*', 'rpm', 'dnf', 'yum', 'zypper', 'pacman', 'openssl', 'sqlite3', 'psql', 'mysql*'],
  ],
  /** Usual file names of browsers, to recognise patterns that can match them. */
  browserExamples: [
    ...['chromium', 'chromium-browser', 'chrome', 'google-chrome', 'google-chrome-stable', 'firefox', 'firefox-esr'],
    ...['firefox-bin', 'librewolf', 'brave', 'brave-browser', 'vivaldi', 'vivaldi-bin', 'opera', 'microsoft-edge'],
    ...['msedge', 'epiphany', 'epiphany-browser', 'falkon', 'konqueror', 'qutebrowser', 'midori', 'waterfox'],
    ...['palemoon', 'seamonkey', 'icecat', 'tor-browser', 'mullvad-browser', 'yandex_browser', 'floorp', 'zen'],
  ],
  admin: ['*polkit*', '*synaptic*', '*gparted*', '*control-center*', '*regedit*', 'mmc.exe'],
  finance: ['*gnucash*', '*kmymoney*', '*saplogon*'],
  blocked: ['*Password*', '*Banking*', '*KeePass*', '*Bitwarden*', '*1Password*', '*Keyring*', '*Authenticator*'],
  /** Our own approval prompts. No file can make them visible to a caller. */
  ours: 'Deskproof*',
  limits: { capturesPerMinute: 60, actsPerMinute: 120, launchesPerMinute: 10 },
  profile: { seat: 'guarded', virtual: 'private', remote: 'guarded' },
  approvals: { seconds: 55, channels: ['terminal', 'inspector', 'mcp'], elicitation: 'medium' },
  audit: { evidence: 'hashes', keepDays: 90 },
} as const;
