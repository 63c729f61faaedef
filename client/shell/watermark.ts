/**
 * Account and sign-in time, diagonal over the whole page, so that a photo of a screen names who sat before it. Drawn as a
 * picture in the background of one element that catches no click and is read by nobody; looked for twice a second and whenever
 * the body changes, and drawn anew when it is missing or was altered. A chunk of its own.
 */
import { istClock, istDay } from '#shared/kernel/time.ts'

/** Specification, section 9. */
const CHECK_MS = 500
const CLASS = 'watermark'
const TILE = { width: 340, height: 210 }

/** @returns takes it away (logout) */
export function startWatermark(account: string, loginTime: string): () => void {
  const at = Date.parse(loginTime)
  const text = `${account}  ${istDay(at)} ${istClock(at)}`
  let element = draw(text)
  let drawn = element.outerHTML
  const check = (): void => {
    if (
      element.isConnected &&
      element.parentElement === document.body &&
      element.outerHTML === drawn
    )
      return
    element.remove()
    element = draw(text)
    drawn = element.outerHTML
    document.body.append(element)
  }
  check()
  const timer = setInterval(check, CHECK_MS)
  const observer = new MutationObserver(check)
  observer.observe(document.body, { childList: true })
  return () => {
    clearInterval(timer)
    observer.disconnect()
    element.remove()
  }
}

function draw(text: string): HTMLDivElement {
  const canvas = document.createElement('canvas')
  canvas.width = TILE.width
  canvas.height = TILE.height
  const pen = canvas.getContext('2d')
  if (pen) {
    pen.translate(TILE.width / 2, TILE.height / 2)
    pen.rotate((-22 * Math.PI) / 180)
    pen.font = '15px sans-serif'
    pen.textAlign = 'center'
    // grey of middle lightness is faint on both themes
    pen.fillStyle = 'rgba(128, 134, 144, 0.16)'
    pen.fillText(text, 0, 0)
  }
  const element = document.createElement('div')
  element.className = CLASS
  element.setAttribute('aria-hidden', 'true')
  element.dataset.text = text
  element.style.backgroundImage = `url(${canvas.toDataURL()})`
  return element
}
