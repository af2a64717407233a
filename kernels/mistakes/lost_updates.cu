// Reading, adding and writing are three steps: whoever reads in between adds to the old number.
__global__ void lost_updates(int *counter)
{
    *counter = *counter + 1;
}
