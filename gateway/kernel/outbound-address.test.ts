import { expect, test } from 'vitest'
import { addressFault, isOwnNetwork } from './outbound-address.ts'

test.each([
  'https://pay.example.com/v1',
  'https://203.0.113.9:8443/',
  'https://[2606:4700::1111]/v1',
  'https://10.example.com',
  'https://localhost.example.com',
])('%s may be called', (address) => {
  expect(addressFault(address, { allowPrivate: false })).toBeNull()
})

test.each([
  'https://localhost/v1',
  'https://LOCALHOST./v1',
  'https://127.0.0.1',
  'https://2130706433/',
  'https://0x7f.1/',
  'https://10.1.2.3',
  'https://172.31.0.1',
  'https://192.168.0.10:9200',
  'https://100.64.0.1',
  'https://0.0.0.0',
  'http://169.254.169.254/latest/meta-data',
  'https://[::1]',
  'https://[::]',
  'https://[::ffff:127.0.0.1]',
  'https://[::ffff:a9fe:a9fe]',
  'https://[64:ff9b::a00:1]',
  'https://[fe80::1]',
  'https://[fd00::1]',
  'https://payouts',
  'https://vault.internal',
  'https://printer.local',
])('%s is the own network: only a setting allows it', (address) => {
  expect(addressFault(address, { allowPrivate: false })).toBe('private')
  expect(addressFault(address, { allowPrivate: true })).toBeNull()
})

test.each([
  ['http://pay.example.com', 'notHttps'],
  ['https://key:secret@pay.example.com', 'credentials'],
  ['https://pay.example.com@127.0.0.1', 'credentials'],
  ['ftp://pay.example.com', 'malformed'],
  ['pay.example.com', 'malformed'],
  ['', 'malformed'],
] as const)('%s is refused, whatever is allowed: %s', (address, fault) => {
  expect(addressFault(address, { allowPrivate: true })).toBe(fault)
})

test('an IP address as a name server answers it is judged alike', () => {
  expect(['8.8.8.8', '192.168.1.1', '::ffff:10.0.0.1', '2606:4700::1'].map(isOwnNetwork)).toEqual([
    false,
    true,
    true,
    false,
  ])
})
