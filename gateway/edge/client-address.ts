/**
 * The address a call came from. A proxy appends the peer it saw to X-Forwarded-For, so the list is
 * read from the right: hops that are trusted proxies are passed, the first other one is the client.
 */
import type { IncomingMessage } from 'node:http'
import { BlockList, isIP, type Socket } from 'node:net'

/** What names the address: an incoming message. */
type Called = Pick<IncomingMessage, 'headers'> & { socket: Pick<Socket, 'remoteAddress'> }
export type AddressOf = (request: Called) => string

/** @throws RangeError naming the entry that is neither an address nor a CIDR range */
export function trustedProxies(entries: readonly string[]): BlockList {
  const list = new BlockList()
  for (const entry of entries) {
    const [address = '', prefix, ...rest] = entry.split('/')
    const version = isIP(address)
    const bits = version === 4 ? 32 : 128
    const length = prefix === undefined ? bits : /^\d{1,3}$/.test(prefix) ? Number(prefix) : -1
    if (version === 0 || rest.length > 0 || length < 0 || length > bits) throw new RangeError(entry)
    list.addSubnet(address, length, version === 4 ? 'ipv4' : 'ipv6')
  }
  return list
}

/** @param entries addresses and CIDR ranges; none = the peer is the client */
export function clientAddress(entries: readonly string[]): AddressOf {
  const trusted = trustedProxies(entries)
  const isTrusted = (address: string): boolean => {
    const version = isIP(address)
    return version !== 0 && trusted.check(address, version === 4 ? 'ipv4' : 'ipv6')
  }
  return (request) => {
    let address = plain(request.socket.remoteAddress ?? '')
    if (entries.length === 0) return address
    const hops = String(request.headers['x-forwarded-for'] ?? '').split(',')
    while (isTrusted(address)) {
      const hop = plain(hops.pop()?.trim() ?? '')
      // what is no address was not written by a proxy
      if (isIP(hop) === 0) break
      address = hop
    }
    return address
  }
}

/** An IPv4 peer of a listener on `::` has its address mapped. */
function plain(address: string): string {
  return address.startsWith('::ffff:') && isIP(address.slice(7)) === 4 ? address.slice(7) : address
}
