/** The page of the community on which a person shows his works. */
export function personalHome(userId: number): string {
  return `/community/home?user_id=${userId}`;
}
