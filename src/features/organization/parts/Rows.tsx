/* Grey rows of the height that people and strategies have here. */

/** `card` draws the surface around them. */
export function Rows({ card = true }: { card?: boolean }) {
  return (
    <div className={card ? 'card flush' : undefined} role="status" aria-label="載入中">
      {[168, 196, 148].map((width) => (
        <div className="og-row" key={width}>
          <i className="sk og-round" />
          <i className="sk" style={{ width, height: 14 }} />
        </div>
      ))}
    </div>
  )
}
