/** The examples that Amazon publishes for Signature Version 4 with S3. */
import { expect, test } from 'vitest'
import { signStorageCall, type UnsignedCall } from './storage-signature.ts'

const KEYS = {
  region: 'us-east-1',
  keyId: 'AKIAIOSFODNN7EXAMPLE',
  secret: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
}
const MIDNIGHT = Date.parse('2013-05-24T00:00:00Z')
const sign = (call: Omit<UnsignedCall, 'url'>, path: string) =>
  signStorageCall(
    KEYS,
    { ...call, url: new URL(`https://examplebucket.s3.amazonaws.com${path}`) },
    MIDNIGHT,
  ).authorization

test('a GET is signed as the published example is', () => {
  expect(sign({ method: 'GET', headers: { range: 'bytes=0-9' }, body: '' }, '/test.txt')).toBe(
    'AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,' +
      'SignedHeaders=host;range;x-amz-content-sha256;x-amz-date,' +
      'Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
  )
})

test('a PUT is signed as the published example is', () => {
  const headers = {
    date: 'Fri, 24 May 2013 00:00:00 GMT',
    'x-amz-storage-class': 'REDUCED_REDUNDANCY',
  }
  const body = 'Welcome to Amazon S3.'
  expect(sign({ method: 'PUT', headers, body }, '/test%24file.text')).toBe(
    'AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,' +
      'SignedHeaders=date;host;x-amz-content-sha256;x-amz-date;x-amz-storage-class,' +
      'Signature=98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
  )
})
