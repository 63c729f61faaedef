/**
 * Blueprint's table notices its size by elements that it writes as HTML, which the page's Trusted
 * Types forbid: an observer of the browser's own does it here. Import before a table is drawn.
 */
import { ResizeSensor } from '@blueprintjs/table/lib/esm/interactions/resizeSensor.js'

ResizeSensor.attach = (element, callback) => {
  // after the frame, so that a table that redraws itself does not observe itself in a loop
  const observer = new ResizeObserver(() => requestAnimationFrame(callback))
  observer.observe(element)
  return () => observer.disconnect()
}
