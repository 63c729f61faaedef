import { expect, test } from 'vitest'
import { hasForbiddenLink, linkParts } from './announcement-links.ts'

test('addresses in a text are links, punctuation around them is not', () => {
  expect(linkParts('See https://floor.example/a?b=1. Or call tel:+911234567890, thanks')).toEqual([
    { text: 'See ', href: null },
    { text: 'https://floor.example/a?b=1', href: 'https://floor.example/a?b=1' },
    { text: '. Or call ', href: null },
    { text: 'tel:+911234567890', href: 'tel:+911234567890' },
    { text: ', thanks', href: null },
  ])
  expect(linkParts('no link at 10:30')).toEqual([{ text: 'no link at 10:30', href: null }])
})

test('only http, https, mailto and tel may be linked', () => {
  for (const text of [
    'javascript:alert(1)',
    'see JavaScript:x',
    'ftp://x.example',
    'data:text/html,x',
    'file:///etc/hosts',
    'a whatsapp://send',
  ])
    expect([text, hasForbiddenLink(text)]).toEqual([text, true])
  for (const text of [
    'https://x.example',
    'HTTP://x.example',
    'mailto:a@b.example',
    'tel:100',
    'Shift: 10:30',
    'Note:read it',
    'plain',
  ])
    expect([text, hasForbiddenLink(text)]).toEqual([text, false])
})
