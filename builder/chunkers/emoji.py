"""Names between colons that stand for a picture; any other `:word:` is text, as PyMdown shows names it does not know."""

from __future__ import annotations

from typing import Final

from .html_words import words

_SETS: Final = ("fontawesome-", "material-", "octicons-", "simple-")
"""Sets of icons that Material for MkDocs brings along."""
_NAMES: Final = words(
    """
    +1 -1 100 1234 8ball a ab abc accept airplane alarm_clock alembic alien ambulance anchor angel anger angry apple
    arrow_backward arrow_double_down arrow_double_up arrow_down arrow_down_small arrow_forward arrow_heading_down
    arrow_heading_up arrow_left arrow_lower_left arrow_lower_right arrow_right arrow_right_hook arrow_up arrow_up_down
    arrow_up_small arrow_upper_left arrow_upper_right arrows_clockwise arrows_counterclockwise art astonished b baby
    balance_scale ballot_box_with_check bangbang bank bar_chart battery bee beer beers bell bento bike bird birthday
    black_circle black_heart black_large_square black_nib black_small_square blossom blue_book blue_heart blush bomb book
    bookmark bookmark_tabs books boom bouquet brain bricks briefcase broken_heart bug building_construction bulb cactus cake
    calendar camera car card_file_box card_index cat chains chart chart_with_downwards_trend chart_with_upwards_trend
    checkered_flag cherries chocolate_bar clap clapper clipboard cloud clown_face cocktail coffee compass computer
    computer_mouse confetti_ball confounded confused congratulations construction construction_worker cookie cool copyright
    cowboy_hat_face crab credit_card crossed_fingers crossed_swords crown cry crying_cat_face crystal_ball cupid cyclone dart
    dash desktop_computer disappointed dizzy dizzy_face dna dog dollar dolphin door dragon droplet ear earth_africa
    earth_americas earth_asia egg electric_plug elephant email end envelope exclamation exploding_head expressionless eye
    eyeglasses eyes facepalm factory fearful file_cabinet file_folder fire fire_engine fireworks first_quarter_moon fish fist
    flashlight floppy_disk flushed folded_hands four_leaf_clover fox_face free frog frowning fuelpump game_die gear gem ghost
    gift globe_with_meridians goal_net green_apple green_book green_circle green_heart grey_exclamation grey_question
    grimacing grin grinning guitar hammer hammer_and_pick hammer_and_wrench hand handshake hankey hash hatching_chick
    headphones hear_no_evil heart heart_eyes heartbeat heavy_check_mark heavy_division_sign heavy_dollar_sign
    heavy_exclamation_mark heavy_minus_sign heavy_multiplication_x heavy_plus_sign herb high_brightness hole honeybee hospital
    hourglass hourglass_flowing_sand house hugs hushed ice_cube id inbox_tray infinity information_source innocent interrobang
    iphone jigsaw joy key keyboard kiss label large_blue_circle large_blue_diamond large_orange_diamond laughing leaves ledger
    left_right_arrow lemon link lion lips lock lock_with_ink_pen lollipop loop loud_sound loudspeaker low_brightness mag
    mag_right mailbox man_technologist map mask mechanical_arm medal_sports mega memo microscope minidisc money_with_wings
    moneybag monkey monkey_face monocle_face moon mortar_board mountain movie_camera muscle mushroom musical_note mute
    nail_care nerd_face neutral_face new newspaper next_track_button no_bell no_entry no_entry_sign no_good no_mouth notebook
    notebook_with_decorative_cover notes nut_and_bolt o ocean octopus ok ok_hand old_key open_book open_file_folder open_hands
    open_mouth orange_book orange_circle orange_heart outbox_tray owl package page_facing_up page_with_curl palm_tree
    panda_face paperclip paperclips part_alternation_mark partying_face pause_button peace_symbol pear pen pencil pencil2
    penguin pensive people_holding_hands performing_arts phone pick pig pill pinching_hand pineapple pizza
    play_or_pause_button pleading_face point_down point_left point_right point_up point_up_2 police_car poop postbox pouch
    pray printer purple_circle purple_heart pushpin question rabbit radio rage rainbow raised_hand raised_hands raising_hand
    recycle red_circle registered relaxed relieved repeat rewind ribbon ring robot rocket rofl roll_eyes rose rotating_light
    round_pushpin running sa satellite satisfied saxophone scales school scissors scream scroll see_no_evil seedling shield
    ship shopping_cart shower shrug shushing_face skull sleeping sleepy slightly_frowning_face slightly_smiling_face
    slot_machine small_blue_diamond small_orange_diamond small_red_triangle small_red_triangle_down smile smile_cat smiley
    smiling_face_with_three_hearts smiling_imp smirk snail snake snowflake snowman sob soccer sos sound space_invader spades
    sparkle sparkler sparkles sparkling_heart speak_no_evil speaker speech_balloon spider spider_web spiral_calendar
    spiral_notepad sponge sports_medal star star2 star_struck stars stethoscope stop_button stop_sign stopwatch straight_ruler
    strawberry stuck_out_tongue stuck_out_tongue_winking_eye sun_with_face sunflower sunglasses sunny sunrise sushi sweat
    sweat_drops sweat_smile syringe tada tangerine tea telephone telescope test_tube thermometer thinking thought_balloon
    thumbsdown thumbsup ticket tiger timer_clock tired_face tm toolbox top trackball tractor traffic_light train
    triangular_flag_on_post triangular_ruler triumph trophy tropical_fish truck tulip turtle tv twisted_rightwards_arrows
    two_hearts umbrella unamused unicorn unlock up upside_down_face v vertical_traffic_light video_camera video_game vs
    warning wastebasket watch watermelon wave waving_hand wavy_dash weary whale white_check_mark white_circle white_flag
    white_heart white_large_square wind_chime wink wolf woman_technologist world_map worried wrench writing_hand x
    yellow_circle yellow_heart yum zany_face zap zzz
    """
)
"""Emoji that books use; a name that is not here stays, which is no loss but that of a picture."""


def is_picture(name: str) -> bool:
    """Whether a name between colons is an emoji or an icon."""
    return name in _NAMES or name.startswith(_SETS)
