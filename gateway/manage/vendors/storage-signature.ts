/**
 * Signs calls to a store of objects that speaks S3, by AWS Signature Version 4 with the hash of the
 * body. A whole call is one piece, its address has no query.
 */
import { createHash, createHmac } from 'node:crypto'

export interface StorageKeys {
  region: string
  keyId: string
  secret: string
}

export interface UnsignedCall {
  method: string
  url: URL
  /** Signed beside the host, the time and the hash of the body. */
  headers?: Readonly<Record<string, string>>
  body: string | Buffer
}

/**
 * @param now milliseconds
 * @returns the headers of the call, without `host`, which the connection adds
 */
export function signStorageCall(
  { region, keyId, secret }: StorageKeys,
  { method, url, headers = {}, body }: UnsignedCall,
  now: number,
): Record<string, string> {
  const time = `${new Date(now).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`
  const bodyHash = createHash('sha256').update(body).digest('hex')
  const sent = { ...headers, 'x-amz-content-sha256': bodyHash, 'x-amz-date': time }
  const signed = Object.entries({ ...sent, host: url.host })
    .map(([name, value]) => [name.toLowerCase(), value.trim()] as const)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
  const names = signed.map(([name]) => name).join(';')
  const request = [
    method,
    url.pathname,
    '',
    ...signed.map(([name, value]) => `${name}:${value}`),
    '',
    names,
    bodyHash,
  ].join('\n')
  const scope = `${time.slice(0, 8)}/${region}/s3/aws4_request`
  const toSign = [
    'AWS4-HMAC-SHA256',
    time,
    scope,
    createHash('sha256').update(request).digest('hex'),
  ]
  let key: string | Buffer = `AWS4${secret}`
  for (const part of scope.split('/')) key = createHmac('sha256', key).update(part).digest()
  const signature = createHmac('sha256', key).update(toSign.join('\n')).digest('hex')
  const authorization = `AWS4-HMAC-SHA256 Credential=${keyId}/${scope},SignedHeaders=${names},Signature=${signature}`
  return { ...sent, authorization }
}
