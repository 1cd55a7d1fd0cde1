import { describe, expect, it } from 'vitest';
import { isLoopbackAddress, isPrivateAddress } from '../../../../lib/engine/train/data/private-address.js';

describe('addresses', () => {
  it('are private on this machine, on its network, and in reserved ranges', () => {
    const addresses = `0.0.0.0 0.1.2.3 10.0.0.1 10.255.255.255 100.64.0.1 100.127.255.254 127.0.0.1 127.255.0.9
      169.254.169.254 172.16.0.1 172.31.255.255 192.0.0.8 192.0.2.1 192.168.1.1 198.18.0.1 198.19.255.255
      198.51.100.7 203.0.113.9 224.0.0.251 239.255.255.255 240.0.0.1 255.255.255.255
      :: ::1 ::ffff:127.0.0.1 ::ffff:10.0.0.1 ::ffff:a00:1 ::ffff:169.254.169.254 ::127.0.0.1 64:ff9b::a00:1
      fe80::1 fe80::1%eth0 fc00::1 fd12:3456::1 fec0::1 ff02::1 100::1 2001::1 2001:db8::1 2002:7f00:1::1 3fff::1`;
    for (const address of addresses.split(/\s+/))
      expect([address, isPrivateAddress(address)]).toEqual([address, true]);
  });

  it('are public elsewhere', () => {
    const addresses = `1.1.1.1 8.8.8.8 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.1
      169.253.255.255 172.15.255.255 172.32.0.0 192.167.255.255 192.169.0.0 198.17.255.255 198.20.0.0
      223.255.255.255 2606:4700::1111 2001:4860:4860::8888 2a00:1450:4001::1`;
    for (const address of addresses.split(/\s+/))
      expect([address, isPrivateAddress(address)]).toEqual([address, false]);
  });

  it('are loopback on this machine', () => {
    for (const address of ['127.0.0.1', '127.9.9.9', '::1']) expect(isLoopbackAddress(address)).toBe(true);
    for (const address of ['10.0.0.1', '0.0.0.0', '::', 'fe80::1', '::2'])
      expect(isLoopbackAddress(address)).toBe(false);
  });
});
