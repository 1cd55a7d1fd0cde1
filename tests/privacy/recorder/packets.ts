// Counts the packets that programs sent through a device: all of them, minus those that the kernel sends on its own.

/** From the texts of /proc/net/dev and /proc/net/dev_snmp6/<device>. */
export function countPackets(device: string, devices: string, icmp: string): number {
  const line = devices.split('\n').find(text => text.trim().startsWith(`${device}:`));
  if (!line) throw new Error(`There is no device ${device}.`);
  const numbers = line.split(':')[1]!.trim().split(/\s+/).map(Number);
  const [, sentByKernel = '0'] = /^Icmp6OutMsgs\s+(\d+)/m.exec(icmp) ?? [];
  // The first eight columns count what was received; then come the bytes and packets sent.
  return numbers[9]! - Number(sentByKernel);
}
