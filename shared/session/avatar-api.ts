/** The picture of a member of staff: beside the own name, and wherever colleagues see who is there. */
import Type from 'typebox'
import { endpoint, type FileRule, Id, Nullable } from '#shared/kernel/endpoint.ts'

export const AVATAR_FILE = {
  name: 'avatar',
  least: 0,
  most: 1,
  bytes: 2_097_152,
  kinds: ['png', 'jpg'],
  /** It is shown at 28 px, and on a screen with three dots to a pixel. */
  side: 256,
  refusal: 'account:avatar.kind',
} as const satisfies FileRule

export const saveAvatar = endpoint({
  method: 'POST',
  path: '/sysUser/avatar',
  access: 'any',
  input: Type.Object({}, { additionalProperties: false }),
  files: AVATAR_FILE,
  data: Type.Object({ avatar: Nullable(Type.String()) }),
  audit: 'avatar',
  summary: "Replaces the caller's own picture; without a file it is removed",
})

export const avatarPicture = endpoint({
  method: 'GET',
  path: '/sysUser/avatar',
  access: 'any',
  input: Type.Object({ userId: Id(), fileId: Id() }),
  // a file answer, no envelope
  data: Type.Unknown(),
  summary: 'The picture of a colleague, by the id that presence and the session name',
})
