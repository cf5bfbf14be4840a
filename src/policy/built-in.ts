/** What holds before anybody has written a file. Files add to these lists; only the user's may take from `blocked`. */
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
  /** Windows in which commands are typed. */
  terminals: [
    ...['*term*', '*konsole*', '*kitty*', '*alacritty*', '*rxvt*', '*tilix*', '*ghostty*', '*guake*', '*yakuake*'],
    ...['kgx', 'ptyxis', 'foot', 'st', 'powershell*', 'pwsh*', 'cmd.exe', 'conhost.exe'],
  ],
  /** Programs that do whatever their arguments say. Their windows are those of other programs. */
  interpreters: [
    ...['sh', 'bash', 'dash', 'ash', 'zsh', 'fish', 'ksh*', 'mksh', 'csh', 'tcsh', 'busybox'],
    ...['python*', 'node', 'nodejs', 'java', 'perl*', 'ruby*', 'env', 'powershell*', 'pwsh*', 'cmd.exe'],
  ],
  admin: ['*polkit*', '*synaptic*', '*gparted*', '*control-center*', '*regedit*', 'mmc.exe'],
  finance: ['*gnucash*', '*kmymoney*', '*saplogon*'],
  blocked: ['*Password*', '*Banking*', '*KeePass*', '*Bitwarden*', '*1Password*', '*Keyring*', '*Authenticator*'],
  /** Our own questions to people: no file can show them to a caller. */
  ours: 'Deskwright*',
  limits: { capturesPerMinute: 60, actsPerMinute: 120, launchesPerMinute: 10 },
  profile: { seat: 'guarded', virtual: 'private', remote: 'guarded' },
  approvals: { seconds: 55, channels: ['terminal', 'inspector', 'mcp'], elicitation: 'medium' },
  audit: { evidence: 'hashes', keepDays: 90 },
} as const;
