/**
 * Pictures of people, drawn over their initials. The part that can fetch one registers once
 * (`provideFaces`); grid cells and components then only name the person and the picture. Without a
 * picture, and until it is there, the initials stay.
 */
import { useEffect, useState } from 'react'

export interface Face {
  userId: string
  /** Id of the picture. */
  avatar?: string | null | undefined
}

type Fetch = (userId: string, fileId: string) => Promise<Blob>

let fetchFace: Fetch | null = null
/** By picture: an id is never used for another one. They are small, and a floor has some hundred. */
const urls = new Map<string, Promise<string | null>>()

export function provideFaces(fetch: Fetch): void {
  fetchFace = fetch
}

/** Forgets every picture, at the end of a session. */
export function forgetFaces(): void {
  for (const url of urls.values()) void url.then((made) => made && URL.revokeObjectURL(made))
  urls.clear()
}

function urlOf({ userId, avatar }: Face): Promise<string | null> {
  if (!avatar || fetchFace === null) return Promise.resolve(null)
  const known = urls.get(avatar)
  if (known) return known
  const url = fetchFace(userId, avatar).then(
    (blob) => URL.createObjectURL(blob),
    () => {
      // the next look tries again
      urls.delete(avatar)
      return null
    },
  )
  urls.set(avatar, url)
  return url
}

/** The picture of a person as an address for `img`; null without one. */
export function useFace({ userId, avatar }: Face): string | null {
  const [face, setFace] = useState<string | null>(null)
  useEffect(() => {
    let gone = false
    setFace(null)
    void urlOf({ userId, avatar }).then((url) => gone || setFace(url))
    return () => {
      gone = true
    }
  }, [userId, avatar])
  return face
}

/** Lays the picture of a person over the initials in `element`, outside React. */
export function drawFace(element: HTMLElement, face: Face): void {
  if (!face.avatar) return
  void urlOf(face).then((url) => {
    if (url === null) return
    const image = new Image()
    image.alt = ''
    image.src = url
    element.append(image)
  })
}
