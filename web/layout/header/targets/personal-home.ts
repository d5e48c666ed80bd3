/** The page of the community on which a user shows their works. */
export function personalHome(userId: number): string {
  return `/community/home?user_id=${userId}`;
}
