/** Links in the plain text of an announcement: http, https, mailto and tel only. */

export interface TextPart {
  text: string
  /** null = plain text. */
  href: string | null
}

const LINK = /(?:https?:\/\/|mailto:|tel:)[^\s<>"'`]+/gi
/** Anything that looks like another scheme: `ftp://…`, `javascript:…`. */
const SCHEME = /\b([a-z][a-z0-9+.-]*):\/\/|\b(javascript|vbscript|data|file|blob|about):\S/gi
/** Punctuation that ends a sentence rather than an address. */
const TRAILING = /[.,;:!?)\]}。，；：！？）】]+$/

/** The text split into links and plain parts; joined, the parts are the text. */
export function linkParts(text: string): TextPart[] {
  const parts: TextPart[] = []
  let at = 0
  for (const found of text.matchAll(LINK)) {
    const href = found[0].replace(TRAILING, '')
    if (found.index > at) parts.push({ text: text.slice(at, found.index), href: null })
    parts.push({ text: href, href })
    at = found.index + href.length
  }
  if (at < text.length) parts.push({ text: text.slice(at), href: null })
  return parts
}

/** Whether the text holds a link with a forbidden scheme. */
export function hasForbiddenLink(text: string): boolean {
  return [...text.matchAll(SCHEME)].some((found) => !/^https?$/i.test(found[1] ?? found[2] ?? ''))
}
