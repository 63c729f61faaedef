/** Links in the plain text of an announcement: http, https, mailto and tel, nothing else (specification, section 5). */

export interface TextPart {
  text: string
  /** null = no link. */
  href: string | null
}

const LINK = /(?:https?:\/\/|mailto:|tel:)[^\s<>"'`]+/gi
/** Anything that reads as another scheme: `ftp://…`, `javascript:…`. */
const SCHEME = /\b([a-z][a-z0-9+.-]*):\/\/|\b(javascript|vbscript|data|file|blob|about):\S/gi
/** Ends a sentence rather than an address. */
const TRAILING = /[.,;:!?)\]}。，；：！？）】]+$/

/** The text cut into what is a link and what is not; joined, the parts are the text. */
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

/** Whether the text holds a link of a kind that is not allowed. */
export function hasForbiddenLink(text: string): boolean {
  return [...text.matchAll(SCHEME)].some((found) => !/^https?$/i.test(found[1] ?? found[2] ?? ''))
}
