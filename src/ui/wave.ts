/* The wave of the wide screens: it comes in from beyond the left edge and ends as a point at 884 165. */

/**
 * On a page of 1,440 px, centred on wider ones, so it begins far outside: 4,080 px show no end of it. Each piece begins
 * in the direction in which the one before ends (S mirrors its handle): a wave has no corners.
 */
export const WAVE =
  'M-1320 452C-1200 452-1140 432-1000 432S-800 468-640 468S-430 420-300 420S-130 474-20 474S166 400 296 400S482 500 616 500S838 350 884 165'
