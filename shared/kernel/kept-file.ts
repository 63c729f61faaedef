import Type, { type Static } from 'typebox'
import { type FileRule, OneOf } from './endpoint.ts'
import { FILE_KINDS } from './file-kind.ts'

/** A file that stays with what it was sent for, as rows name it. */
export const KeptFile = Type.Object({ fileId: Type.String(), kind: OneOf(FILE_KINDS) })
export type KeptFile = Static<typeof KeptFile>

/** What may come with words: five of them are just less than the edge lets through. */
export const ATTACHED = {
  name: 'files',
  least: 0,
  most: 5,
  bytes: 4 * 1_048_576,
  kinds: FILE_KINDS,
} as const satisfies FileRule

/** Files inside the JSON of a signed call. @param bytes limit of each */
export const InlineFiles = ({
  least,
  most,
  bytes,
}: Pick<FileRule, 'least' | 'most' | 'bytes'>): Type.TArray<
  Type.TObject<{ base64: Type.TString }>
> =>
  Type.Array(
    Type.Object(
      {
        base64: Type.String({
          minLength: 20,
          maxLength: Math.ceil(bytes / 3) * 4,
          pattern: '^[A-Za-z0-9+/]+={0,2}$',
        }),
      },
      { additionalProperties: false },
    ),
    { minItems: least, maxItems: most },
  )
