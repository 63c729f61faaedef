/**
 * Which addresses the console may call. What it sends to vendors (account and phone numbers) never
 * travels in clear on a public network, and an address must not lead to a service of the own network
 * by mistake: the metadata of a cloud host, a database, the console itself.
 */
import { BlockList, isIP } from 'node:net'

export type AddressFault = 'malformed' | 'credentials' | 'notHttps' | 'private'

const OWN = new BlockList()
for (const [net, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const)
  OWN.addSubnet(net, bits)
for (const [net, bits] of [
  ['::', 127],
  ['64:ff9b::', 96],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
] as const)
  OWN.addSubnet(net, bits, 'ipv6')

/** Names that no public name server answers. */
const OWN_NAME = /^[^.]+$|(?:^|\.)(?:localhost|local|internal|intranet|lan|home\.arpa)$/

/**
 * Whether an IP address belongs to this host or its network: loopback, private, link-local, shared,
 * reserved, multicast; also when an IPv4 address is written as IPv6.
 */
export function isOwnNetwork(ip: string): boolean {
  const version = isIP(ip)
  return version !== 0 && OWN.check(ip, version === 6 ? 'ipv6' : 'ipv4')
}

/**
 * Why a base address may not be called; null when it may. The URL standard has resolved other
 * spellings of an IP address (`2130706433`, `0x7f.1`) before they are judged.
 * @param allowPrivate the own network may be called, also without TLS
 */
export function addressFault(
  address: string,
  { allowPrivate }: { allowPrivate: boolean },
): AddressFault | null {
  if (!URL.canParse(address)) return 'malformed'
  const { protocol, hostname, username, password } = new URL(address)
  if (protocol !== 'https:' && protocol !== 'http:') return 'malformed'
  // they would be in logs and lead the eye away from the real host
  if (username !== '' || password !== '') return 'credentials'
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  const isOwn = isIP(host) === 0 ? OWN_NAME.test(host) : isOwnNetwork(host)
  if (isOwn) return allowPrivate ? null : 'private'
  return protocol === 'https:' ? null : 'notHttps'
}
