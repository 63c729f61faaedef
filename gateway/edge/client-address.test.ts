import { expect, test } from 'vitest'
import { clientAddress, trustedProxies } from '#gateway/edge/client-address.ts'
import { edgeUnderTest } from '#gateway/edge/testing/edge-under-test.ts'

const from = (peer: string, forwarded?: string) => ({
  socket: { remoteAddress: peer },
  headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
})

test('without trusted proxies the peer is the client, whatever it claims', () => {
  expect(clientAddress([])(from('203.0.113.7', '6.6.6.6'))).toBe('203.0.113.7')
})

test('the client is the rightmost hop that is no trusted proxy', () => {
  const addressOf = clientAddress(['10.0.0.0/8', '192.0.2.1', '2001:db8::/32'])
  expect(addressOf(from('10.1.1.1', '6.6.6.6, 203.0.113.7, 192.0.2.1'))).toBe('203.0.113.7')
  expect(addressOf(from('::ffff:10.1.1.1', '203.0.113.7'))).toBe('203.0.113.7')
  expect(addressOf(from('2001:db8::1', '203.0.113.7'))).toBe('203.0.113.7')
  expect(addressOf(from('198.51.100.1', '203.0.113.7'))).toBe('198.51.100.1')
  expect(addressOf(from('10.1.1.1', 'nonsense'))).toBe('10.1.1.1')
  expect(addressOf(from('10.1.1.1'))).toBe('10.1.1.1')
})

test.each(['10.0.0.0/33', 'proxy', '10.0.0.0/', '10.0.0.0/8/8', ''])(
  'the entry %j is refused',
  (entry) => {
    expect(() => trustedProxies([entry])).toThrow(RangeError)
  },
)

test('calls behind a trusted proxy are limited and logged by the address of the client', async () => {
  const t = await edgeUnderTest({
    trustedProxies: ['127.0.0.1'],
    limits: { loginsPerIpPerMinute: 1, slowSignIns: 0 },
  })
  const login = (username: string, address: string) =>
    fetch(`${t.url}/api/manage/login?username=${username}&password=x`, {
      method: 'POST',
      headers: { 'x-forwarded-for': address },
    }).then((answer) => answer.status)
  expect(await login('a', '6.6.6.6, 203.0.113.7')).toBe(200)
  expect(t.manage.seen.at(-1)?.headers['x-forwarded-for']).toBe('203.0.113.7')
  expect(await login('b', '9.9.9.9, 203.0.113.7')).toBe(429)
  expect(await login('c', '203.0.113.8')).toBe(200)
  await t.close()
})
