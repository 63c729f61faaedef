/** Prepares photos before the transaction that stores them, so that no row is locked meanwhile. */
import { INVALID_FIELDS, Problem } from '#shared/kernel/problem.ts'
import {
  type CleanPicture,
  cleanPicture,
  PictureRefused,
} from '#gateway/manage/kernel/pictures/clean-picture.ts'
import type { Photo, WithReadyPhotos } from './customer-store.ts'

const HAS_NUMBER: Record<Photo['kind'], boolean> = {
  pan: false,
  aadhaarFront: true,
  aadhaarBack: true,
  liveFace: false,
}

/** @throws Problem G-FIELD with a message key per photo that is not an image of the declared type */
export async function withReadyPhotos<Given extends { photos?: Photo[] }>({
  photos,
  ...rest
}: Given): Promise<WithReadyPhotos<Given>> {
  if (photos === undefined) return rest
  const fields: Record<string, string> = {}
  const pictures = await Promise.all(
    photos.map((photo, i) =>
      picture(photo).catch((error: unknown): CleanPicture | null => {
        if (!(error instanceof PictureRefused)) throw error
        fields[`photos.${i}.base64`] =
          error.code === 'tooManyPixels' ? 'ui:fault.fileSize' : 'imageType'
        return null
      }),
    ),
  )
  if (Object.keys(fields).length > 0) throw new Problem(INVALID_FIELDS, {}, { fields })
  return {
    ...rest,
    photos: photos.flatMap(({ kind }, i) => (pictures[i] ? [{ kind, picture: pictures[i] }] : [])),
  }
}

/** Both sides of an Aadhaar card show the number, which must never be stored. */
export const hasNumber = (kind: string): boolean => HAS_NUMBER[kind as Photo['kind']] ?? false

function picture({ kind, mime, base64 }: Photo): Promise<CleanPicture> {
  return cleanPicture(Buffer.from(base64, 'base64'), mime === 'image/png' ? 'png' : 'jpg', {
    hidesNumber: hasNumber(kind),
  })
}
