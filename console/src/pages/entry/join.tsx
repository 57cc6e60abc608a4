export function Join() {
  return <h1>Join</h1>;
}
