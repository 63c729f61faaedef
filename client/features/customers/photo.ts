/** Photos of a customer: fetched with the token like every call, shown from memory, so that no address of a photo works alone. */
import { type Picture, usePicture } from '#client/session/use-picture.ts'
import { customerPhoto } from '#shared/customers/customers-api.ts'

export function usePhoto(photoId: string | null): Picture {
  return usePicture(customerPhoto, photoId === null ? null : { photoId })
}
