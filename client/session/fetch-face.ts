/** Pictures of staff: loaded with the first person who has one. */
import { avatarPicture } from '#shared/session/avatar-api.ts'
import { fetchFile } from './file.ts'

export async function fetchFace(userId: string, fileId: string): Promise<Blob> {
  return (await fetchFile(avatarPicture, { userId, fileId })).blob
}
