/** Gallery items by username. */
export const gallery: Record<string, [daysAgo: number, title: string, description?: string][]> = {
  noormakes: [
    [351, 'The first shelf', 'Everything I made in the first month here. Half of it leaks.'],
    [290, 'Before the kiln'],
    [212, 'Ash glaze, test 4', 'Too shiny. I kept it because of the rim.'],
    [160, 'Sixty plates'],
    [96, 'Winter bowls', 'For soup, for both hands.'],
    [41, 'The big jar'],
    [6, 'Out of the kiln this week'],
  ],
  astrid_wood: [
    [220, 'Ash, steam-bent'],
    [75, 'The table for Skellefteå', 'Six metres of one tree.'],
    [12, 'Offcuts'],
  ],
  kavyalooksup: [
    [180, 'First clear night after the rains'],
    [30, 'What the eyepiece does not show', 'Galaxies, by the Hubble telescope. Mine is a little smaller.'],
  ],
  yuki_ink: [
    [140, 'Rain, third try'],
    [52, 'Cat who did not want to be drawn'],
    [9, 'Small bridge'],
  ],
  rosalbabakes: [
    [130, 'Pane di Matera'],
    [20, 'The oven at four'],
  ],
}
