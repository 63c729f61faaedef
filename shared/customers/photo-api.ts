import Type from 'typebox'
import { endpoint, Id } from '#shared/kernel/endpoint.ts'

/** Buttons that open an original photo, per page that shows the customer. */
export const PHOTO_CODES = [
  'info:photo',
  'review_list:decide',
  'review_list:quality',
  'review_list:check',
  'review_list:takeOver',
] as const

export const customerPhoto = endpoint({
  method: 'GET',
  path: '/userInfo/photo',
  access: PHOTO_CODES,
  menu: 'review_list',
  input: Type.Object({ photoId: Id() }),
  // a file answer: image bytes without an envelope
  data: Type.Unknown(),
  audit: 'photo',
  summary: 'A photo of a customer, watermarked with account and time; each opening logged',
})
